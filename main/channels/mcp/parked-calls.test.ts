import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ToolResponse } from "../../../app/contract/tool-call.ts";
import {
  ANSWER_KEPT_MS,
  ANSWERS_KEPT,
  collected,
  findParked,
  type Parked,
  park,
  settle,
  withoutAgent,
  withoutOld,
} from "./parked-calls.ts";

const ok = (call_id: string): ToolResponse => ({ call_id, status: "ok", result: call_id });
const call = (ticket: string, agent_id = "agent", sameness = "same", kept_ms = 0) => ({
  ticket,
  agent_id,
  call_id: `call-${ticket}`,
  sameness,
  kept_ms,
});

const agents = fc.constantFrom("one", "other");
const samenesses = fc.constantFrom("read a", "read b");
const tickets = fc.constantFrom("t0", "t1", "t2", "t3");

/** What clients and the chain do, in any order. */
const step = fc.oneof(
  fc.record({ does: fc.constant("call" as const), agent: agents, sameness: samenesses }),
  fc.record({ does: fc.constant("collect" as const), agent: agents, ticket: tickets }),
  fc.record({ does: fc.constant("settle" as const), ticket: tickets, put_off: fc.boolean() }),
);

interface Run {
  readonly agent: string;
  readonly sameness: string;
  isAnswered: boolean;
  isCollected: boolean;
  isPutOff: boolean;
}

/** Clients and the chain, and what came of it. */
class World {
  parked: Parked = [];
  readonly runs = new Map<string, Run>();

  call(agent_id: string, sameness: string): void {
    const same = findParked(this.parked, { agent_id, sameness });
    if (same !== null) {
      this.#get(agent_id, same.ticket);
      return;
    }
    for (const run of this.runs.values()) {
      const isSame = run.agent === agent_id && run.sameness === sameness;
      expect(isSame && !run.isCollected && !run.isPutOff).toBe(false);
    }
    const ticket = `t${this.runs.size}`;
    this.runs.set(ticket, {
      agent: agent_id,
      sameness,
      isAnswered: false,
      isCollected: false,
      isPutOff: false,
    });
    this.parked = park(this.parked, call(ticket, agent_id, sameness), 0);
  }

  collect(agent_id: string, ticket: string): void {
    if (findParked(this.parked, { agent_id, ticket }) !== null) this.#get(agent_id, ticket);
  }

  settle(ticket: string, isPutOff: boolean): void {
    const run = this.runs.get(ticket);
    if (run === undefined || run.isAnswered || run.isPutOff) return;
    run.isAnswered = !isPutOff;
    run.isPutOff = isPutOff;
    this.parked = settle(this.parked, ticket, isPutOff ? null : ok(`call-${ticket}`), 0);
  }

  #get(agent: string, ticket: string): void {
    const run = this.runs.get(ticket);
    const found = findParked(this.parked, { agent_id: agent, ticket });
    expect(run?.agent).toBe(agent);
    expect(found?.response?.call_id).toBe(run?.isAnswered ? `call-${ticket}` : undefined);
    if (run === undefined || !run.isAnswered) return;
    run.isCollected = true;
    this.parked = collected(this.parked, ticket);
  }
}

describe("parked calls, whatever clients and the chain do", () => {
  it("give each answer to the agent that made the call, and no identical call runs before that", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const world = new World();
        for (const each of steps) {
          if (each.does === "call") world.call(each.agent, each.sameness);
          else if (each.does === "collect") world.collect(each.agent, each.ticket);
          else world.settle(each.ticket, each.put_off);
        }
      }),
    );
  });
});

it("another agent finds nothing, by ticket or by the same call", () => {
  const parked = settle(park([], call("t0"), 0), "t0", ok("call-t0"), 1);
  expect(findParked(parked, { agent_id: "other", ticket: "t0" })).toBeNull();
  expect(findParked(parked, { agent_id: "other", sameness: "same" })).toBeNull();
  expect(findParked(parked, { agent_id: "agent", sameness: "same" })?.ticket).toBe("t0");
});

it("an answer is dropped an hour after it came, a call that goes on is not", () => {
  const parked = settle(park(park([], call("t0"), 0), call("t1"), 0), "t0", ok("call-t0"), 5);
  expect(withoutOld(parked, 5 + ANSWER_KEPT_MS)).toHaveLength(2);
  expect(withoutOld(parked, 6 + ANSWER_KEPT_MS).map(({ ticket }) => ticket)).toEqual(["t1"]);
});

it("an answer stays for as long as its client has asked for", () => {
  const kept_ms = 3 * ANSWER_KEPT_MS;
  const asked = call("t0", "agent", "same", kept_ms);
  const parked = settle(park([], asked, 0), "t0", ok("call-t0"), 5);
  expect(withoutOld(parked, kept_ms)).toHaveLength(1);
  expect(withoutOld(parked, kept_ms + 1)).toEqual([]);
});

it("of too many answers of an agent the collected ones give way first, then the oldest", () => {
  let parked: Parked = settle(park([], call("other", "other"), 0), "other", ok("call-other"), 0);
  for (let count = 0; count < ANSWERS_KEPT + 3; count += 1) {
    const ticket = `t${count}`;
    parked = settle(park(parked, call(ticket), count), ticket, ok(`call-${ticket}`), count);
  }
  parked = collected(collected(parked, "t9"), "t8");
  const kept = withoutOld(parked, ANSWERS_KEPT + 3).map(({ ticket }) => ticket);
  expect(kept).toHaveLength(ANSWERS_KEPT + 1);
  const gone = parked.map(({ ticket }) => ticket).filter((ticket) => !kept.includes(ticket));
  expect(gone).toEqual(["t0", "t8", "t9"]);
  expect(withoutAgent(parked, "agent").map(({ ticket }) => ticket)).toEqual(["other"]);
});
