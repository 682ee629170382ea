import { beforeEach, expect, it } from "vitest";
import { LIMITS } from "../../../app/contract/limits.ts";
import type { HubAgent } from "../../../app/grants/grant.ts";
import { FullHistories } from "./full-histories.ts";

const FULL = LIMITS.keptBytes;
/** Only this part of an agent matters here. */
const agent = (agent_id: string) => ({ agent_id }) as HubAgent;

let kept: Map<string, number>;
let agents: readonly HubAgent[];
let told: unknown[];
let histories: FullHistories;
beforeEach(() => {
  kept = new Map([["loud", FULL - 1]]);
  agents = [agent("loud"), agent("quiet")];
  told = [];
  histories = new FullHistories({
    store: { keptBytes: (id) => kept.get(id) ?? 0 },
    agents: { list: () => agents },
    tell: (agentId, isFull) => told.push([agentId, isFull]),
    notify: (full) => told.push(full.map(({ agent_id }) => agent_id)),
  });
});

it("hub and person learn once that a history is full, and of no other", () => {
  histories.grew("loud");
  expect(told).toEqual([]);
  kept.set("loud", FULL);
  histories.grew("loud");
  histories.grew("loud");
  histories.grew("quiet");
  expect(told).toEqual([["loud", true], ["loud"]]);
});

it("both learn when there is room again, and when the agent was removed", () => {
  kept = new Map(agents.map(({ agent_id }) => [agent_id, FULL]));
  histories.connected();
  told = [];
  kept.set("loud", 0);
  histories.shrank();
  histories.shrank();
  expect(told).toEqual([["loud", false], ["quiet"]]);
  agents = [agent("loud")];
  histories.shrank();
  expect(told.slice(2)).toEqual([["quiet", false], []]);
});

it("a hub that starts over is told again, the person is not", () => {
  kept.set("loud", FULL);
  histories.connected();
  expect(told).toEqual([["loud", true], ["loud"]]);
  histories.connected();
  expect(told.slice(2)).toEqual([["loud", true]]);
});
