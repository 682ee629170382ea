import { expect, it, vi } from "vitest";
import { WITHDRAWALS } from "../../../app/consent/verdict.ts";
import { withdrawalRefusal } from "../../../app/execution/obtain-permission.ts";
import type { ReadableArrival } from "../../../app/execution/ports.ts";
import { MissedRequests, TurnedAway } from "./missed-requests.ts";

const note = {
  agent_id: "ada",
  agent_name: "Ada",
  call_id: "call-1",
  tool_name: "read_file",
  asked_at: 1,
  ended_at: 2,
  why: "user_timeout",
};
const opened = (kept?: string) =>
  new MissedRequests({
    settings: { value: () => kept, putValue: async () => {}, removeValue: async () => {} },
    clock: { now: () => 0 },
    changed: () => {},
    report: () => {},
  });
const viewOf = (kept: string | undefined) => opened(kept).view();

it("a note that cannot be read counts as none", () => {
  const kept = { requests: [note], more: 1 };
  expect(viewOf(JSON.stringify(kept))).toEqual(kept);
  const unreadable = { ...kept, requests: [{ ...note, why: "?" }] };
  expect(viewOf(JSON.stringify(unreadable))).toEqual({ requests: [], more: 0 });
});

it("a request that the person watched running out of time is not missed", () => {
  const missed = opened();
  const asked = { agent_id: "ada", agent_name: "Ada", tool_name: "read_file" };
  missed.settled({ ...asked, call_id: "watched" }, { kind: "timed_out", watched: true });
  missed.settled({ ...asked, call_id: "alone" }, { kind: "timed_out", watched: false });
  expect(missed.view().requests.map(({ call_id }) => call_id)).toEqual(["alone"]);
});

it("a request that ended without the person has the reason that the log has for it", () => {
  const missed = opened();
  const asked = { agent_id: "ada", agent_name: "Ada", tool_name: "read_file", call_id: "call-1" };
  for (const why of WITHDRAWALS) missed.settled(asked, { kind: "withdrawn", why });
  const byAgent = ["agent_gone", "manifest_changed", "cancelled", "unanswered"] as const;
  const logged = byAgent.map((why) => withdrawalRefusal(why).reason);
  expect(missed.view().requests.map(({ why }) => why)).toEqual(logged.toReversed());
});

const from = (agent_id: string) => ({ agent_id }) as ReadableArrival;
const FULL = {
  call_id: "c",
  status: "error",
  error_code: "TOOL_UNAVAILABLE",
  reason: "consent_queue_full",
} as const;
const nameOf = (id: string) => (id === "gone" ? null : id.toUpperCase());

it("counts the requests that found no place, by agent, until the person has seen it", () => {
  const changed = vi.fn();
  const turned = new TurnedAway(changed);
  for (const id of ["a", "b", "a", "gone"]) turned.closed(from(id), FULL);
  expect(turned.view(nameOf)).toEqual({
    agents: [
      { agent_id: "a", name: "A", count: 2 },
      { agent_id: "b", name: "B", count: 1 },
    ],
    others: 0,
  });
  turned.seen();
  expect(turned.view(nameOf)).toEqual({ agents: [], others: 0 });
  expect(changed).toHaveBeenCalledTimes(5);
});

it("counts nothing that was refused for another reason", () => {
  const turned = new TurnedAway(() => {});
  turned.closed(from("a"), { ...FULL, reason: "overloaded" });
  turned.closed(from("a"), { call_id: "c", status: "denied", reason: "user_refused" });
  expect(turned.view(nameOf).agents).toEqual([]);
});

it("names no more than twenty agents; the requests of further ones are counted together", () => {
  const turned = new TurnedAway(() => {});
  for (let at = 0; at < 25; at += 1) turned.closed(from(`agent-${at}`), FULL);
  turned.closed(from("agent-3"), FULL);
  const { agents, others } = turned.view(nameOf);
  expect(agents).toHaveLength(20);
  expect(agents[3]?.count).toBe(2);
  expect(others).toBe(5);
});
