// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { ArtifactView, ConversationView } from "../../../app/bridge/conversation-views.ts";
import type { ArtifactField } from "../../../app/contract/artifacts/block.ts";
import { LIMITS } from "../../../app/contract/limits.ts";
import type { LocaleName } from "../../../i18n/index.ts";
import { drawInHost } from "../../testing/draw-in-host.tsx";
import { message } from "../testing/items.ts";
import { ArtifactForm } from "./artifact-form.tsx";

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const view = {
  conversation_id: "conversation-1",
  relation: "active",
  offers: { text: true },
} as ConversationView;
let forms = 0;

/** A form with one field and one action. */
function drawForm(field: ArtifactField, language: LocaleName = "en") {
  const call = vi.fn(async (_name: string, _args: unknown) => null);
  const blocks = [field, { tag: "action", key: "send", label: "Send" } as const];
  const artifact = { revision: 0, title: null, blocks, missing: false, answer: null };
  const item = message(`form-${forms++}`, 1, { content: "blocks", artifact });
  const form = (shown: ArtifactView) => (
    <ArtifactForm artifact={shown} item={item} view={view} drawn={() => null} />
  );
  const draw = () => drawInHost(form(artifact), { call, language });
  const { rerender } = draw();
  return {
    draw,
    /** As the agent changes it. */
    become: (changed: Partial<ArtifactView>) => rerender(form({ ...artifact, ...changed })),
    answered: () => call.mock.calls.map(([, args]) => args as Record<string, unknown>),
    sent: () => call.mock.calls.map(([, args]) => (args as { values: unknown }).values),
  };
}

const entry = () => screen.getByTestId<HTMLInputElement>("artifact-input");
const type = (value: string) => fireEvent.change(entry(), { target: { value } });
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const action = () => screen.getByTestId("artifact-action");
const press = () => act(async () => fireEvent.pointerDown(action()));
const click = () => act(async () => fireEvent.click(action()));
const send = async () => {
  await pass(LIMITS.approvalInertMs);
  await press();
  await click();
};
const fault = () => screen.getByTestId("artifact-field").querySelector(".field-fault")?.textContent;

test("a text that is too long stays as it was pasted, and is not sent", async () => {
  const { sent } = drawForm({ tag: "input", key: "name", label: "Name", max_length: 10 });
  expect(entry().maxLength).toBe(-1);
  type("a".repeat(11));
  await send();
  expect([entry().value, sent()]).toEqual(["a".repeat(11), []]);
  expect(fault()).toContain("10 characters");
  type("a".repeat(10));
  await send();
  expect(sent()).toEqual([{ name: "a".repeat(10) }]);
});

const NUMBER = { tag: "input", key: "n", label: "N", variant: "number", min: 0, max: 100 } as const;

test.each([
  ["en", "2,5", 2.5],
  ["en", "0.5", 0.5],
  ["de", "2.5", 2.5],
  ["de", "0.5", 0.5],
  ["zh-CN", "2,50", 2.5],
] as const)("in %s, %s is sent as the number that it is", async (language, typed, value) => {
  const { sent } = drawForm(NUMBER, language);
  type(typed);
  fireEvent.blur(entry());
  expect(entry().value).toBe(typed);
  await send();
  expect(sent()).toEqual([{ n: value }]);
});

test.each([
  ["en", "1,000"],
  ["de", "1,000"],
  ["de", "1.000"],
  ["en", "1e1"],
  ["en", "ten"],
] as const)("in %s, %s is not sent, and stays as it was typed", async (language, typed) => {
  const { draw, sent } = drawForm(NUMBER, language);
  type(typed);
  fireEvent.blur(entry());
  await send();
  cleanup();
  draw();
  expect([entry().value, sent()]).toEqual([typed, []]);
});

test("where a text can mean two numbers, both ways to write them are shown", async () => {
  drawForm(NUMBER);
  type("1,000");
  await send();
  expect(fault()).toContain("1000 or 1.");
});

test("a number that the agent proposes is shown with all its digits", async () => {
  const { sent } = drawForm({ ...NUMBER, value: 0.000_012_5 }, "de");
  expect(entry().value).toBe("0,0000125");
  type("");
  await send();
  expect([entry().value, sent()]).toEqual(["", [{}]]);
});

test("a box that has to be ticked says so", async () => {
  const { sent } = drawForm({ tag: "checkbox", key: "terms", label: "Terms", required: true });
  await send();
  expect([fault(), sent()]).toEqual(["Tick this box.", []]);
});

describe("a button that an agent changes", () => {
  const pay = (label: string, revision: number) => ({
    revision,
    blocks: [{ tag: "action", key: "send", label } as const],
  });

  test("takes no press before it has been there for half a second", async () => {
    const { become, answered } = drawForm({ tag: "checkbox", key: "terms", label: "Terms" });
    await pass(LIMITS.approvalInertMs);
    become(pay("Pay 1000 EUR", 1));
    await press();
    await click();
    await pass(LIMITS.approvalInertMs - 10);
    await press();
    await click();
    expect(answered()).toEqual([]);
    await pass(10);
    await press();
    await click();
    expect(answered()).toMatchObject([{ revision: 1, ref_action: "send" }]);
  });

  test("takes no click whose press was on what it said before", async () => {
    const { become, answered } = drawForm({ tag: "checkbox", key: "terms", label: "Terms" });
    await pass(LIMITS.approvalInertMs);
    become(pay("Pay 1000 EUR", 1));
    await press();
    await pass(LIMITS.approvalInertMs);
    await click();
    expect(answered()).toEqual([]);
  });
});
