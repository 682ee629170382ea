import { expect, it, vi } from "vitest";
import type { ReadableArrival } from "../../../app/execution/ports.ts";
import { TurnedAway } from "./turned-away.ts";

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
