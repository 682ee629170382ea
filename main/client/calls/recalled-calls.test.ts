import { beforeEach, describe, expect, it } from "vitest";
import type { JsonValue } from "../../../app/contract/json.ts";
import type { ReadableArrival } from "../../../app/execution/ports.ts";
import { RecalledCalls } from "./recalled-calls.ts";

const LIMITS = { calls: 3, characters: 1_000 };
let known: Set<string>;
let calls: RecalledCalls;
beforeEach(() => {
  known = new Set(["ada", "bob"]);
  calls = new RecalledCalls((agentId) => known.has(agentId), LIMITS);
});

const call = (call_id: string, agent_id = "ada", conversation_id = `with-${agent_id}`) => ({
  agent_id,
  conversation_id,
  call_id,
  arguments: { path: `/${call_id}` },
  arguments_digest: "",
});
const arrival = (call_id: string): ReadableArrival => {
  const { agent_id, conversation_id, arguments: args } = call(call_id);
  const rest = { tool_name: "read_file", permission_scope: "filesystem:read" };
  const digests = { canonical_arguments: "", arguments_digest: "" };
  return {
    agent_id,
    conversation_id,
    conversation_type: "h2a",
    transport: "hub",
    arrived_at: 0,
    call: { call_id, arguments: args, ...rest, ...digests },
  };
};
const ended = (call_id: string, value: JsonValue = "given") =>
  calls.closed(arrival(call_id), { call_id, status: "ok", result: value }, "person");
const of = (agent_id: string, call_id: string) => calls.of({ agent_id, call_id });
const kept = (...ids: readonly string[]) => ids.filter((id) => of("ada", id) !== null);

describe("a call's content", () => {
  it("is dropped when newer calls need the place, the oldest first", () => {
    for (const id of ["1", "2", "3", "4"]) ended(id);
    expect(kept("1", "2", "3", "4")).toEqual(["2", "3", "4"]);
    ended("2");
    ended("5");
    expect(kept("2", "3", "4", "5")).toEqual(["2", "4", "5"]);
  });

  it("is dropped when all together is too large, wherever the text is in it", () => {
    ended("1", "x".repeat(400));
    ended("2", [{ entries: ["x".repeat(400)] }]);
    expect(kept("1", "2")).toEqual(["1", "2"]);
    ended("3", { ["x".repeat(400)]: 1 });
    expect(kept("1", "2", "3")).toEqual(["2", "3"]);
    // Content that replaced a call's older content counts once.
    for (let times = 0; times < 5; times += 1) ended("3", "x".repeat(400));
    expect(kept("2", "3")).toEqual(["2", "3"]);
    ended("4", "x".repeat(2_000));
    expect(kept("2", "3", "4")).toEqual([]);
    ended("5");
    expect(kept("5")).toEqual(["5"]);
  });

  it("stays during a flood of silent calls if the person was asked", () => {
    calls.settled(call("asked"));
    ended("asked");
    for (const id of ["1", "2", "3", "4", "5"]) ended(id);
    expect(kept("asked", "1", "5")).toEqual(["asked", "5"]);
    expect(of("ada", "asked")?.result).toEqual({ value: "given" });
  });

  it("is dropped with its agent, and nothing is kept for that agent from then on", () => {
    calls.settled(call("1"));
    ended("2");
    calls.settled(call("1", "bob"));
    known.delete("ada");
    calls.forgetAgent("ada");
    ended("3");
    calls.settled(call("4"));
    expect(kept("1", "2", "3", "4")).toEqual([]);
    expect(of("bob", "1")).not.toBeNull();
  });

  it("is dropped with the history of its conversation", () => {
    calls.settled(call("1"));
    ended("2");
    calls.settled(call("3", "ada", "another"));
    calls.forgetConversation("with-ada");
    expect(kept("1", "2", "3")).toEqual(["3"]);
  });
});
