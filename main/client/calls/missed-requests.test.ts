import { expect, it } from "vitest";
import { WITHDRAWALS } from "../../../app/consent/verdict.ts";
import { withdrawalRefusal } from "../../../app/execution/obtain-permission.ts";
import { MissedRequests } from "./missed-requests.ts";

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
