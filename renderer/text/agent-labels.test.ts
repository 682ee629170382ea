import { expect, test } from "vitest";
import { agentLabels, labelOf, lookalikes } from "./agent-labels.ts";

const agent = (agent_id: string, name: string, petname: string | null = null) => ({
  agent_id,
  name,
  petname,
  fingerprint: `${agent_id}000 0000 0000`,
});
const labels = (...agents: readonly ReturnType<typeof agent>[]) => [
  ...agentLabels(agents).values(),
];

test("an agent goes by the person's own name for it, else by the one it claims", () => {
  expect(labels(agent("a", "Helper", "Archivist"), agent("b", "Helper"))).toEqual([
    "Archivist",
    "Helper",
  ]);
});

test("an agent that claims another's name is told apart by the beginning of its key", () => {
  const told = labels(agent("a", "Helper", "Archivist"), agent("b", "  ARCHIVIST"));
  expect(told).toEqual(["Archivist (a000 0000)", "  ARCHIVIST (b000 0000)"]);
});

test("several requests of one agent are of one agent", () => {
  expect(labels(agent("a", "Helper"), agent("a", "Helper"))).toEqual(["Helper"]);
});

test("a name that would hide or reverse something is drawn for what it is", () => {
  expect(labels(agent("a", "x\u202ey"))).toEqual(["x\\u{202e}y"]);
});

test("an agent that is gone goes by the name it had, else by its id", () => {
  const none = agentLabels([]);
  expect([labelOf(none, "a", "Helper"), labelOf(none, "a", "")]).toEqual(["Helper", "a"]);
});

test("a newcomer is held against every name an agent goes by, its own and the person's", () => {
  const known = [agent("a", "Helper", "Archivist"), agent("b", "Other")];
  expect(lookalikes(known, "archivist ")).toEqual(["Archivist (a000 0000 0000)"]);
  expect(lookalikes(known, "HELPER")).toHaveLength(1);
  expect(lookalikes(known, "Nobody")).toEqual([]);
});
