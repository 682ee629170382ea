// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";
import type { AgentDetails } from "../../app/bridge/agent-views.ts";
import type { Snapshot } from "../../app/bridge/views.ts";
import type { Sensitivity } from "../../app/contract/scopes.ts";
import { createI18n } from "../../i18n/index.ts";
import { drawInHost } from "../testing/draw-in-host.tsx";
import { AgentSection } from "./agent-section.tsx";
import { sampleAgent } from "./testing/sample-agent.ts";

afterEach(cleanup);

const [first] = sampleAgent.grants;
if (first === undefined) throw new Error("the sample declares permissions");
const declaring = (manifest_version: number, sensitivity: Sensitivity): AgentDetails => ({
  ...sampleAgent,
  manifest_version,
  grants: [{ ...first, state: "awaiting_reconsent", scope: { ...first.scope, sensitivity } }],
});

test.each([
  ["websocket", "in the folders you choose"],
  ["hook", "anywhere on this computer"],
] as const)("an agent connected by %s may read files %s", (delivery, where) => {
  drawSection({ ...sampleAgent, delivery });
  expect(screen.getByText(/^See names and contents/).textContent).toContain(where);
});

test("of a webhook agent it is said that its messages are protected less", () => {
  const { t } = createI18n("en");
  const safety = { digits: "1".repeat(60), words: "word ".repeat(24) };
  const key = {
    agent_id: "agent-1",
    verified: false,
    safety,
    changed: null,
    ledger: "in_step" as const,
  };
  drawSection({ ...sampleAgent, delivery: "webhook" }, [{ ...key, level: "sealed" }]);
  expect(screen.getByTestId("agent-delivery").textContent).toContain(
    t("agents.delivery_means.webhook"),
  );
  const told = screen.getByTestId("agent-key").textContent;
  expect(told).toContain(t("keys.level.sealed"));
  expect(told).toContain(t("keys.level_means.sealed"));
});

/** A host that answers when it is told to. */
function drawSection(agent: AgentDetails, agents: Snapshot["keys"]["agents"] = []) {
  const waiting: { readonly name: string; answer: (result: unknown) => void }[] = [];
  const call = (name: string) => {
    const { promise, resolve } = Promise.withResolvers<unknown>();
    waiting.push({ name, answer: resolve });
    return promise;
  };
  const keys = { agents, pairings: [], restart_needed: false };
  const snapshot = { agents: [agent], keys };
  const { rerender } = drawInHost(<AgentSection agent={agent} />, { call, snapshot });
  return {
    show: (changed: AgentDetails) => rerender(<AgentSection agent={changed} />),
    asked: () => waiting.map(({ name }) => name),
    answer: (nth: number, result: unknown) => act(async () => waiting[nth]?.answer(result)),
  };
}

test.each([
  ["agent-mark-reviewed", { changed_since_review: true }],
  ["resume-agent", { relation: "suspended" }],
] as const)("the keyboard stays in the section when %s has done its work", (testId, before) => {
  const { show } = drawSection({ ...sampleAgent, ...before });
  screen.getByTestId(testId).focus();
  show(sampleAgent);
  expect(screen.queryByTestId(testId)).toBeNull();
  expect(document.activeElement).toBe(screen.getByTestId("agent-section"));
});

const press = (element: Element) => act(async () => void fireEvent.click(element));
const inputOf = (testId: string) => {
  const found = screen.getByTestId(testId);
  return (found.matches("input") ? found : found.querySelector("input")) as HTMLInputElement;
};

test.each(["reconsent-refuse", "reconsent-allow"])(
  "the keyboard is still on %s after it was sent in vain",
  async (testId) => {
    const { answer, asked } = drawSection(declaring(2, "medium"));
    const button = screen.getByTestId<HTMLButtonElement>(testId);
    button.focus();
    await press(button);
    expect(asked()).toEqual(["agents.set_scopes"]);
    expect(button.disabled).toBe(false);
    await press(button);
    expect(asked()).toHaveLength(1);
    await answer(0, Promise.reject(new Error("refused")));
    expect(document.activeElement).toBe(button);
  },
);

test("a permission that a newer manifest makes high is not ticked for the person", async () => {
  const ticked = () => inputOf(`reconsent-scope-${first.scope.id}`);
  const { show } = drawSection(declaring(2, "medium"));
  expect(ticked().checked).toBe(true);
  show(declaring(3, "high"));
  expect(ticked().checked).toBe(false);
  await press(ticked());
  expect(ticked().checked).toBe(true);
  show(declaring(4, "high"));
  expect(ticked().checked).toBe(false);
});

test.each([
  ["a permission's switch", sampleAgent, () => inputOf(`agent-scope-${first.scope.id}`)],
  [
    "the button that resumes an agent",
    { ...sampleAgent, relation: "suspended" as const },
    () => screen.getByTestId("resume-agent"),
  ],
])("%s keeps the keyboard until it is answered, and asks once", async (_, agent, find) => {
  const { asked, answer } = drawSection(agent);
  find().focus();
  await press(find());
  await press(find());
  expect(asked()).toHaveLength(1);
  expect(find().matches(":enabled:focus")).toBe(true);
  await answer(0, null);
  await press(find());
  expect(asked()).toHaveLength(2);
});

test("what one manifest changed does not stand below a newer one", async () => {
  const changed = { ...sampleAgent, changed_since_review: true };
  const differences = { reviewed_digest: "", digest: "", differences: [], in_all: 3 };
  const { show, answer } = drawSection(changed);
  const said = () => screen.queryByTestId("agent-differences")?.textContent;
  await answer(0, differences);
  expect(said()).toContain("3");
  show({ ...changed, manifest_version: 2 });
  expect(said()).toBeUndefined();
  await answer(1, { ...differences, in_all: 5 });
  expect(said()).toContain("5");
});

test("the question says why it is asked again, also when the change was taken back", () => {
  const reasons = [
    { kind: "required_added", tool: "read_file" },
    { kind: "scope_added", tool: null },
  ] as const;
  const [grant] = declaring(2, "medium").grants;
  if (grant === undefined) throw new Error("the sample declares permissions");
  const { show } = drawSection({ ...declaring(2, "medium"), grants: [{ ...grant, reasons }] });
  const said = screen.getByTestId("reconsent-reasons").textContent;
  expect(said).toContain("“Read a file” got a further required argument.");
  expect(said).toContain("asked for this permission for the first time");
  expect(screen.getByTestId("reconsent-taken-back").textContent).toContain("again");
  show({ ...declaring(3, "medium"), changed_since_review: true });
  expect(screen.queryByTestId("reconsent-reasons")).toBeNull();
  expect(screen.queryByTestId("reconsent-taken-back")).toBeNull();
});
