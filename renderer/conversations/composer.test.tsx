// @vitest-environment jsdom
import { act, cleanup, fireEvent, screen } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { bridgeError } from "../../app/bridge/client-bridge.ts";
import {
  type ConversationView,
  type MemberView,
  SENT_TEXT_MAX,
} from "../../app/bridge/conversation-views.ts";
import { drawInHost } from "../testing/draw-in-host.tsx";
import { Composer } from "./composer.tsx";

afterEach(cleanup);

const viewOf = (conversation_id: string): ConversationView => ({
  conversation_id,
  kind: "direct",
  title: "Notes",
  title_is_shared: false,
  title_mark: null,
  agent_ids: ["agent-1"],
  members: [],
  relation: "active",
  offers: {
    text: true,
    streaming: true,
    artifacts: true,
    voice: false,
    groups: true,
    tools: true,
  },
  unread: 0,
  last_at: null,
  last_text: null,
  last_content: null,
  last_sender_id: null,
  online: true,
  owned: false,
});

/** A host that answers when it is told to. */
function drawComposer(conversation_id: string) {
  const waiting: PromiseWithResolvers<unknown>[] = [];
  const call = vi.fn((_name: string, _args: { readonly text: string }) => {
    const asked = Promise.withResolvers<unknown>();
    waiting.push(asked);
    return asked.promise;
  });
  const onSent = vi.fn();
  drawInHost(<Composer view={viewOf(conversation_id)} onSent={onSent} />, { call });
  return {
    onSent,
    sent: () => call.mock.calls.map(([, args]) => args),
    accept: () => act(async () => waiting.shift()?.resolve({ item_id: "item" })),
    fail: () => act(async () => waiting.shift()?.reject(bridgeError("disconnected"))),
  };
}

const field = () => screen.getByTestId<HTMLTextAreaElement>("composer");
const type = (value: string) => fireEvent.change(field(), { target: { value } });
const enter = () =>
  act(async () => {
    fireEvent.keyDown(field(), { key: "Enter" });
  });

const ME: MemberView = {
  member_id: "person-1",
  is_agent: false,
  is_me: true,
  name: null,
  petname: null,
  name_is_borrowed: false,
  online: true,
  read_seq: 0,
  draws_artifacts: true,
};

test("in a group that everybody else has left, the person is told so and writes nothing", () => {
  const draw = (...members: readonly MemberView[]) => {
    const view: ConversationView = { ...viewOf("group"), kind: "group", members };
    drawInHost(<Composer view={view} onSent={() => undefined} />);
  };
  draw(ME, { ...ME, member_id: "agent-1", is_agent: true, is_me: false });
  expect(field()).toBeTruthy();
  cleanup();
  draw(ME);
  expect(screen.queryByTestId("composer")).toBe(null);
  expect(screen.getByTestId("composer-blocked").textContent).toBe("Nobody else is in this group.");
});

test("what is written is there again after the page showed something else", () => {
  drawComposer("kept");
  type("half a thought");
  cleanup();
  drawComposer("other");
  expect(field().value).toBe("");
  cleanup();
  drawComposer("kept");
  expect(field().value).toBe("half a thought");
});

test("what is typed while a message is being sent stays", async () => {
  const { accept, onSent, sent } = drawComposer("typed");
  type("first");
  await enter();
  expect(field().value).toBe("");
  type("second");
  await accept();
  expect([field().value, onSent.mock.calls.length]).toEqual(["second", 1]);
  expect(sent()).toMatchObject([{ text: "first" }]);
});

test("a message that failed stands before what was typed since", async () => {
  const { fail, onSent } = drawComposer("failed");
  type("first, ");
  await enter();
  type("second");
  await fail();
  expect([field().value, onSent.mock.calls.length]).toEqual(["first, second", 0]);
});

test("a message that fails after the page showed something else is there again", async () => {
  const { fail } = drawComposer("elsewhere");
  type("hello");
  await enter();
  cleanup();
  drawComposer("elsewhere");
  expect(field().value).toBe("");
  await fail();
  expect(field().value).toBe("hello");
});

test("what is written anew after a failure is another message, even if it says the same", async () => {
  const { accept, fail, sent } = drawComposer("anew");
  type("yes");
  await enter();
  await fail();
  type("");
  type("yes");
  await enter();
  await accept();
  const ids = sent().map((args) => (args as { client_message_id?: string }).client_message_id);
  expect(new Set(ids).size).toBe(2);
});

test("sent again unchanged it is the same message; changed, or after it was sent, another", async () => {
  const { accept, fail, sent } = drawComposer("again");
  type("hello");
  await enter();
  await fail();
  await enter();
  await fail();
  type("hello you");
  await enter();
  await accept();
  type("hello you");
  await enter();
  await accept();
  const ids = sent().map((args) => (args as { client_message_id?: string }).client_message_id);
  expect(ids[1]).toBe(ids[0]);
  expect(new Set(ids).size).toBe(3);
});

test("what is too long to send stays whole, is not sent, and it is said why", async () => {
  const { sent } = drawComposer("long");
  const pasted = "x".repeat(SENT_TEXT_MAX + 1);
  expect(field().maxLength).toBe(-1);
  type(pasted);
  await enter();
  expect([field().value, sent()]).toEqual([pasted, []]);
  expect(screen.getByTestId<HTMLButtonElement>("composer-send").disabled).toBe(true);
  expect(screen.getByRole("alert").textContent).toContain("65,536 characters");
  type(pasted.slice(1));
  await enter();
  expect([screen.queryByRole("alert"), sent()]).toMatchObject([null, [{ text: pasted.slice(1) }]]);
});
