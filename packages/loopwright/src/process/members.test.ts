import { describe, expect, it } from "vitest";
import { AGENT_MARKER } from "./marker.ts";
import { findMembers } from "./members.ts";
import { FakeProcesses } from "./testing/fake-processes.ts";

const scene = (): { processes: FakeProcesses; shim: ReturnType<FakeProcesses["add"]> } => {
  const processes = new FakeProcesses();
  const shim = processes.add({ pid: 2000 });
  processes.add({ pid: 2001, parent: 2000, group: 2000, session: 2000, marker: "a" });
  processes.add({ pid: 2002, parent: 1, group: 2000, session: 2000 });
  processes.add({ pid: 2003, parent: 1, marker: "a" });
  processes.add({ pid: 2004, parent: 2003 });
  processes.add({ pid: 2005, parent: 1, marker: "b" });
  return { processes, shim };
};
const pids = (rows: readonly { pid: number }[]): number[] =>
  rows.map((row) => row.pid).sort((a, b) => a - b);

describe("what belongs to an attempt", () => {
  it("is the group of its living shim, what carries the marker, and their descendants", () => {
    const { processes, shim } = scene();
    const { ours, unverified } = findMembers(processes, { marker: "a", shim });
    expect(pids(ours)).toEqual([2001, 2002, 2003, 2004]);
    expect(unverified).toEqual([]);
  });

  it("is only suspected of the group of a dead shim", () => {
    const { processes, shim } = scene();
    processes.end(2000);
    const { ours, unverified } = findMembers(processes, { marker: "a", shim });
    expect(pids(ours)).toEqual([2001, 2003, 2004]);
    expect(pids(unverified)).toEqual([2002]);
  });

  it("is the group of a dead shim too, for who saw it alive", () => {
    const { processes, shim } = scene();
    processes.end(2000);
    const { ours } = findMembers(processes, { marker: "a", shim, seenAlive: true });
    expect(pids(ours)).toEqual([2001, 2002, 2003, 2004]);
  });

  it("can be one of several agents that share the attempt", () => {
    const { processes } = scene();
    processes.add({ pid: 2008, marker: "agent-1", variable: AGENT_MARKER });
    const scope = { marker: "agent-1", variable: AGENT_MARKER };
    expect(pids(findMembers(processes, scope).ours)).toEqual([2008]);
    expect(pids(findMembers(processes, { marker: "agent-1" }).ours)).toEqual([]);
  });

  it("is nothing that is older than its shim", () => {
    const { processes, shim } = scene();
    processes.add({ pid: 2006, group: 2000, start_time: "1500" });
    expect(pids(findMembers(processes, { marker: "a", shim }).ours)).not.toContain(2006);
  });

  it("is nothing of another boot, whatever number it has", () => {
    const { processes, shim } = scene();
    const { ours, unverified } = findMembers(processes, {
      marker: "x",
      shim: { ...shim, boot_id: "earlier" },
    });
    expect([ours, unverified]).toEqual([[], []]);
  });

  it("is never this process or an ancestor of it", () => {
    const { processes, shim } = scene();
    processes.add({ pid: process.pid, parent: 2001, start_time: "9999", marker: "a" });
    expect(pids(findMembers(processes, { marker: "a", shim }).ours)).toEqual([2002, 2003, 2004]);
  });

  it("stays what it was found to be when it loses its marker", () => {
    const { processes, shim } = scene();
    processes.add({ pid: 2007, parent: 2005, start_time: "2007" });
    const known = [{ ...shim, pid: 2005, start_time: "2005" }];
    expect(pids(findMembers(processes, { marker: "a", shim }, known).ours)).toContain(2007);
  });
});
