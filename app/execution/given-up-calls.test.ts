import { describe, expect, it } from "vitest";
import type { ToolResponse } from "../contract/tool-call.ts";
import { GivenUpCalls } from "./given-up-calls.ts";

const CALL = { agent_id: "agent", call_id: "call" };
const answerOf = () => Promise.withResolvers<ToolResponse | null>();
const OK: ToolResponse = { call_id: "call", status: "ok", result: null };

describe("a call that is given up", () => {
  it("stays so until it is answered", async () => {
    const calls = new GivenUpCalls();
    const answer = answerOf();
    const tracked = calls.track(CALL, answer.promise);
    expect(calls.has(CALL)).toBe(false);
    const given = calls.giveUp(CALL);
    expect(calls.has(CALL)).toBe(true);
    answer.resolve(OK);
    expect([await tracked, await given]).toEqual([OK, OK]);
    expect(calls.has(CALL)).toBe(false);
    expect(calls.giveUp(CALL)).toBeUndefined();
  });

  it("is one agent's: another's call of the same id goes on", () => {
    const calls = new GivenUpCalls();
    const other = { ...CALL, agent_id: "other" };
    void calls.track(CALL, answerOf().promise);
    void calls.track(other, answerOf().promise);
    void calls.giveUp(CALL);
    expect(calls.has(other)).toBe(false);
  });

  it("stays so when it comes a second time", async () => {
    const calls = new GivenUpCalls();
    const first = answerOf();
    const tracked = calls.track(CALL, first.promise);
    void calls.giveUp(CALL);
    void calls.track(CALL, answerOf().promise);
    first.resolve(OK);
    await tracked;
    expect(calls.has(CALL)).toBe(true);
  });
});
