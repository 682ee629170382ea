import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { ToolResponse } from "../../../app/contract/tool-call.ts";
import {
  ANSWER_KEPT_MS,
  ANSWERS_KEPT,
  claim,
  endClaim,
  type Parked,
  park,
  settle,
  withoutAgent,
  withoutOld,
} from "./parked-calls.ts";

const ok = (call_id: string): ToolResponse => ({ call_id, status: "ok", result: call_id });
const call = (ticket: string, agent_id = "agent", sameness = "same") => ({
  ticket,
  agent_id,
  call_id: `call-${ticket}`,
  sameness,
});

const agents = fc.constantFrom("one", "other");
const samenesses = fc.constantFrom("read a", "read b");
const tickets = fc.constantFrom("t0", "t1", "t2", "t3");

/** What clients and the chain do, in any order. */
const step = fc.oneof(
  fc.record({ does: fc.constant("call" as const), agent: agents, sameness: samenesses }),
  fc.record({ does: fc.constant("collect" as const), agent: agents, ticket: tickets }),
  fc.record({ does: fc.constant("settle" as const), ticket: tickets, put_off: fc.boolean() }),
  fc.record({ does: fc.constant("end" as const), ticket: tickets }),
);

/** Clients and the chain, and what came of it. */
class World {
  parked: Parked = [];
  /** How often each answer was given. */
  readonly given = new Map<string, number>();
  readonly #madeBy = new Map<string, string>();
  readonly #claims = new Map<string, string>();

  call(agent_id: string, sameness: string): void {
    if (this.#claim(agent_id, { agent_id, sameness })) return;
    const ticket = `t${this.#madeBy.size}`;
    this.#madeBy.set(ticket, agent_id);
    this.parked = park(this.parked, call(ticket, agent_id, sameness), 0);
  }

  collect(agent_id: string, ticket: string): void {
    const wasClaimed = this.#claims.has(ticket);
    if (this.#claim(agent_id, { agent_id, ticket })) expect(wasClaimed).toBe(false);
  }

  settle(ticket: string, isPutOff: boolean): void {
    this.parked = settle(this.parked, ticket, isPutOff ? null : ok(`call-${ticket}`), 0);
  }

  end(ticket: string): void {
    const agent = this.#claims.get(ticket);
    if (agent === undefined) return;
    this.#claims.delete(ticket);
    const { parked, response } = endClaim(this.parked, ticket);
    this.parked = parked;
    if (response === null) return;
    expect(response.call_id).toBe(`call-${ticket}`);
    expect(agent).toBe(this.#madeBy.get(ticket));
    this.given.set(ticket, (this.given.get(ticket) ?? 0) + 1);
  }

  #claim(agent: string, wanted: Parameters<typeof claim>[1]): boolean {
    const found = claim(this.parked, wanted);
    this.parked = found.parked;
    if (found.call !== null) this.#claims.set(found.call.ticket, agent);
    return found.call !== null;
  }
}

describe("parked calls, whatever clients and the chain do", () => {
  it("give each answer once, to the agent that made the call", () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const world = new World();
        for (const each of steps) {
          if (each.does === "call") world.call(each.agent, each.sameness);
          else if (each.does === "collect") world.collect(each.agent, each.ticket);
          else if (each.does === "settle") world.settle(each.ticket, each.put_off);
          else world.end(each.ticket);
        }
        expect([...world.given.values()].every((times) => times === 1)).toBe(true);
      }),
    );
  });

  it("never start an identical call again while its answer waits for somebody", () => {
    fc.assert(
      fc.property(fc.array(samenesses, { minLength: 1, maxLength: 12 }), (wanted) => {
        let parked: Parked = [];
        const started: string[] = [];
        for (const sameness of wanted) {
          const found = claim(parked, { agent_id: "agent", sameness });
          if (found.call === null) {
            parked = park(parked, call(`t${started.length}`, "agent", sameness), 0);
            started.push(sameness);
          } else parked = endClaim(found.parked, found.call.ticket).parked;
        }
        expect(started).toEqual([...new Set(wanted)]);
      }),
    );
  });
});

it("another agent finds nothing, by ticket or by the same call", () => {
  const parked = settle(park([], call("t0"), 0), "t0", ok("call-t0"), 1);
  expect(claim(parked, { agent_id: "other", ticket: "t0" }).call).toBeNull();
  expect(claim(parked, { agent_id: "other", sameness: "same" }).call).toBeNull();
  expect(claim(parked, { agent_id: "agent", sameness: "same" }).call?.ticket).toBe("t0");
});

it("an answer that nobody collects is dropped after an hour, a call that goes on is not", () => {
  const parked = settle(park(park([], call("t0"), 0), call("t1"), 0), "t0", ok("call-t0"), 5);
  expect(withoutOld(parked, 5 + ANSWER_KEPT_MS)).toHaveLength(2);
  expect(withoutOld(parked, 6 + ANSWER_KEPT_MS).map(({ ticket }) => ticket)).toEqual(["t1"]);
});

it("the newest answers of each agent are kept", () => {
  let parked: Parked = settle(park([], call("other", "other"), 0), "other", ok("call-other"), 0);
  for (let count = 0; count < ANSWERS_KEPT + 3; count += 1) {
    const ticket = `t${count}`;
    parked = settle(park(parked, call(ticket), count), ticket, ok(`call-${ticket}`), count);
  }
  const kept = withoutOld(parked, ANSWERS_KEPT + 3).map(({ ticket }) => ticket);
  expect(kept).toHaveLength(ANSWERS_KEPT + 1);
  expect(kept).not.toContain("t2");
  expect(kept).toContain("t3");
  expect(withoutAgent(parked, "agent").map(({ ticket }) => ticket)).toEqual(["other"]);
});
