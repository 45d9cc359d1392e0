import { amountText, type AttentionItem, type WriteName } from "@loopwright/protocol";
import { RAISES } from "../../control-plane/projection/index.ts";

/** Something that settles an item. Without `path` it is only told what to type. */
export interface Action {
  readonly label: string;
  readonly method: "POST" | null;
  readonly path: string | null;
  /** To be sent; where `asks` names a field, with it. */
  readonly body: Readonly<Record<string, unknown>> | null;
  /** The field that a person has to fill in. */
  readonly asks: string | null;
  /** What does the same in a terminal. */
  readonly command: string;
  readonly primary: boolean;
}

export type ActionableItem = AttentionItem & { readonly actions: readonly Action[] };

/** An item with what settles it, as buttons. Pure. */
export function withActions(item: AttentionItem): ActionableItem {
  const actions = actionsOf(item);
  const first = actions.find(({ primary }) => primary) ?? actions[0];
  return { ...item, actions: actions.map((each) => ({ ...each, primary: each === first })) };
}

function actionsOf(item: AttentionItem): Action[] {
  const { kind, goal_id, question } = item;
  const goal = ` --goal ${goal_id}`;
  if (question !== undefined) return answersTo(item, question);
  if (isRaisable(kind)) {
    const { limit, add, flag } = RAISES[kind];
    return [
      write(goal_id, "resume", {
        label: `Raise by ${amountText(limit, add)} and go on`,
        body: { raise: [{ limit, add }] },
        command: `loopwright resume ${flag}${goal}`,
        primary: true,
      }),
    ];
  }
  if (kind === "next_action_projection_mismatch")
    return [
      resolution(goal_id, "run", "Make it the next action"),
      resolution(goal_id, "state", "Keep the next action"),
    ];
  const command = item.next_command;
  if (command === null) return [];
  if (/^loopwright (?:resume|run)(?: --goal \S+)?$/.test(command))
    return [write(goal_id, "resume", { label: "Go on", body: {}, command, primary: item.blocks })];
  return [
    {
      label: "In a terminal",
      method: null,
      path: null,
      body: null,
      asks: null,
      command,
      primary: false,
    },
  ];
}

function answersTo(
  { goal_id }: AttentionItem,
  { id, options, default: otherwise }: NonNullable<AttentionItem["question"]>,
): Action[] {
  const answer = (label: string, text: string | undefined): Action =>
    write(goal_id, "answer", {
      label,
      body: { question: id, ...(text === undefined ? {} : { text }) },
      asks: text === undefined ? "text" : null,
      command: `loopwright answer ${id} ${text === undefined ? '"…"' : JSON.stringify(text)} --goal ${goal_id}`,
      primary: text !== undefined && text === (otherwise ?? options[0]),
    });
  const texts = new Set([...options, ...(otherwise === undefined ? [] : [otherwise])]);
  return [...[...texts].map((text) => answer(text, text)), answer("Answer…", undefined)];
}

function resolution(goalId: string, take: "run" | "state", label: string): Action {
  const command = `loopwright resolve ${goalId} --take ${take}`;
  return write(goalId, "resolve", { label, body: { take }, command, primary: take === "run" });
}

function write(
  goalId: string,
  name: WriteName,
  action: Pick<Action, "label" | "command" | "primary"> & {
    readonly body: NonNullable<Action["body"]>;
    readonly asks?: string | null;
  },
): Action {
  return { method: "POST", path: `/goals/${goalId}/${name}`, asks: null, ...action };
}

function isRaisable(kind: string): kind is keyof typeof RAISES {
  return Object.hasOwn(RAISES, kind);
}
