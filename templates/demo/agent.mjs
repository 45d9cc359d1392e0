// The demo's agent: an ordinary program, as any other that the `command` adapter runs. It reads its prompt on standard
// input, its paths from LOOPWRIGHT_PATHS, edits files in the repository and accounts for itself in out/report.json.
// It is deterministic, and as unreliable as agents are: it claims success too early, and one of its runs fails.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

const prompt = readFileSync(0, "utf8");
const paths = JSON.parse(readFileSync(process.env.LOOPWRIGHT_PATHS, "utf8"));
const plan = join(paths.project_state, "plan.md");
const notes = join(paths.project_state, "finished.md");
const TASKS = ["total", "discount", "receipt"];

// The dialect json-lines of the command adapter. No model is called, and that is known: nothing is used and nothing spent.
say({ type: "usage", input_tokens: 0, output_tokens: 0, cost_usd: 0 });

/** Writes down how the goal will be judged. */
function review() {
  publish(join(paths.project_state, "eval", "plan.md"), `# How to judge\n\n${TASKS.map((task) => `- run tests/acceptance/${task}.test.mjs`).join("\n")}\n`);
  account("Wrote down how the goal is judged.", "Plan the first task");
}

function evaluate() {
  const open = openTasks();
  publish(paths.goal_check, JSON.stringify({ schema_version: 1, goal_met: open.length === 0, reason: openText(open), evidence: [] }));
  account(`Looked what is left: ${openText(open)}.`);
}

/** Plans, and claims success: once too early (as agents do), once rightly. */
function direct() {
  if (!existsSync(plan)) {
    publish(plan, `# Plan\n\n${TASKS.map((task) => `- [ ] ${task}`).join("\n")}\n`);
    return account("Split the goal into three tasks.", `Implement ${TASKS[0]}`);
  }
  const open = openTasks();
  const refused = prompt.includes("refused");
  if (open.length === 0 || (open.length === 2 && !refused && !read(plan).includes("refused once"))) {
    if (open.length > 0) publish(plan, `${read(plan)}\nrefused once: the gate wants all of it\n`);
    publish(paths.control, JSON.stringify({ schema_version: 1, attempt_id: paths.attempt_id, state: "stopped", stop_reason: "goal_met", reason: "The program is written." }));
    return account("The program is written.", "Nothing: the goal is met");
  }
  account(refused ? `The claim was refused; ${open.join(" and ")} still fail.` : `${openText(open)}.`, `Implement ${open[0]}`);
}

/** Implements exactly one task. Its first try at `discount` fails, with half an edit left behind. */
async function implement() {
  const task = openTasks()[0];
  const file = join(paths.checkout, "src", `${task}.mjs`);
  if (task === "discount" && !read(file).includes("Draft")) {
    writeFileSync(file, "// Draft\nexport function discount(");
    console.error("the model's answer broke off");
    process.exit(1);
  }
  say({ type: "text", text: `Working on ${task}` });
  await sleep(task === "discount" ? 1500 : 200);
  publish(file, SOURCES[task]);
  publish(plan, read(plan).replace(`- [ ] ${task}`, `- [x] ${task}`));
  publish(notes, `${existsSync(notes) ? read(notes) : "# Finished\n\n"}- ${task}, in iteration ${paths.iteration}\n`);
  account(`Implemented ${task}.`, `Review ${task}`, [{ claim: `${task} works`, command: `node --test tests/acceptance/${task}.test.mjs` }]);
}

function openTasks() {
  const text = read(plan);
  return TASKS.filter((task) => text.includes(`- [ ] ${task}`));
}

function openText({ length }) {
  return length === 1 ? "1 task is open" : `${length} tasks are open`;
}

function say(event) {
  console.log(JSON.stringify(event));
}

function account(summary, recommendedAction, evidence = []) {
  publish(paths.report, JSON.stringify({ schema_version: 1, attempt_id: paths.attempt_id, summary, recommended_action: recommendedAction, evidence }));
  say({ type: "final", text: summary });
}

/** A reader sees the old file or the whole new one. */
function publish(path, text) {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(`${path}.tmp`, text);
  renameSync(`${path}.tmp`, path);
}

function read(path) {
  return readFileSync(path, "utf8");
}

const SOURCES = {
  total: `/** Sum of an order in cents. */
export function total(lines) {
  return lines.reduce((sum, { cents, count }) => {
    if (count < 0) throw new RangeError("a count can't be negative");
    return sum + cents * count;
  }, 0);
}
`,
  discount: `/** Discount in cents: 5 % from 20.00, at most 10.00, rounded down. */
export function discount(sum) {
  return sum < 2000 ? 0 : Math.min(1000, Math.floor(sum * 0.05));
}
`,
  receipt: `/** The receipt as text: a line each, the discount, what is to pay. */
export function receipt(lines, sum, discount) {
  const rows = lines.map(({ name, cents, count }) => row(\`\${count} x \${name}\`, cents * count));
  return [...rows, row("Discount", -discount), row("To pay", sum - discount)].join("\\n");
}

function row(label, cents) {
  const sign = cents < 0 ? "-" : "";
  const amount = \`\${sign}\${(Math.abs(cents) / 100).toFixed(2)}\`;
  return label.padEnd(16) + amount.padStart(5);
}
`,
};

const roles = { eval_reviewer: review, eval_runner: evaluate, outer: direct, inner: implement };
await roles[paths.workflow_id]();
