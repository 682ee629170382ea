import { expect, test } from "vitest";
import { createI18n } from "../../i18n/index.ts";
import { agentLabels, labelOf, type NamedAgent } from "./agent-labels.ts";

const { t } = createI18n("en");
const agent = (agent_id: string, more: Partial<NamedAgent> = {}): NamedAgent => ({
  agent_id,
  name: "Helper",
  petname: null,
  key_mark: { kind: "known", fingerprint: "5b1e 07c2 9d44 a0f3 8e61" },
  name_is_shared: false,
  name_mark: null,
  ...more,
});
const labels = (...agents: readonly NamedAgent[]) =>
  [...agentLabels(t, agents).values()].map(({ text }) => text);

test("an agent goes by the person's own name for it, else by the one it claims", () => {
  expect(labels(agent("a", { petname: "Archivist" }), agent("b"))).toEqual(["Archivist", "Helper"]);
});

test("an agent whose name is another's too is told apart by the whole of its fingerprint", () => {
  const other = { kind: "known", fingerprint: "5b1e 07c2 9d44 a0f3 8e62" } as const;
  const shared = { name_is_shared: true };
  expect(labels(agent("a", shared), agent("b", { ...shared, key_mark: other }))).toEqual([
    "Helper (5b1e 07c2 9d44 a0f3 8e61)",
    "Helper (5b1e 07c2 9d44 a0f3 8e62)",
  ]);
});

test("a key that is not known or in doubt is said to be so, and no older one is shown", () => {
  const shared = { name_is_shared: true };
  expect(
    labels(
      agent("a", { ...shared, key_mark: { kind: "unknown" } }),
      agent("b", { ...shared, key_mark: { kind: "in_doubt" } }),
    ),
  ).toEqual(["Helper (key not known yet)", "Helper (key changed, not accepted)"]);
});

test("a name that would hide or reverse something is drawn for what it is", () => {
  expect(labels(agent("a", { name: "x\u202ey" }))).toEqual(["x\\u{202e}y"]);
});

test("an agent that is gone goes by the name it had, else by its id", () => {
  const none = agentLabels(t, []);
  expect([labelOf(none, "a", "Helper"), labelOf(none, "a", "")]).toEqual(["Helper", "a"]);
});
