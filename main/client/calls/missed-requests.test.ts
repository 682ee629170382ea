import { expect, it } from "vitest";
import { MissedRequests } from "./missed-requests.ts";

const note = {
  agent_id: "ada",
  agent_name: "Ada",
  tool_name: "read_file",
  asked_at: 1,
  ended_at: 2,
  why: "timed_out",
};
const opened = (kept?: string) =>
  new MissedRequests({
    settings: { value: () => kept, putValue: async () => {}, removeValue: async () => {} },
    clock: { now: () => 0 },
    changed: () => {},
    report: () => {},
  });
const viewOf = (kept: string | undefined) => opened(kept).view();

it("a note by an older version has no call that could be recalled", () => {
  const call = { ...note, call_id: "call-1" };
  expect(viewOf(JSON.stringify({ requests: [call, note], more: 1 }))).toEqual({
    requests: [call, { ...note, call_id: null }],
    more: 1,
  });
  expect(viewOf(JSON.stringify({ requests: [{ ...note, why: "?" }], more: 1 })).requests).toEqual(
    [],
  );
});

it("a request that the person watched running out of time is not missed", () => {
  const missed = opened();
  const asked = { agent_id: "ada", agent_name: "Ada", tool_name: "read_file" };
  missed.settled({ ...asked, call_id: "watched" }, { kind: "timed_out", watched: true });
  missed.settled({ ...asked, call_id: "alone" }, { kind: "timed_out", watched: false });
  expect(missed.view().requests.map(({ call_id }) => call_id)).toEqual(["alone"]);
});
