import { beforeEach, describe, expect, it } from "vitest";
import type { CallItem } from "../../../app/bridge/conversation-views.ts";
import type { Events } from "../../../app/bridge/events.ts";
import { agent, client, connectForEachTest, talk } from "../testing/each-test.ts";
import { LONG_WAIT } from "../testing/eventually.ts";

connectForEachTest();

/** The calls of the conversation, as a page that is open has them from its events. */
let calls: Map<string, CallItem>;
beforeEach(() => {
  calls = new Map();
  client.program.subscribe((name, event) => {
    if (name !== "conversation.items_changed") return;
    const { items, removed } = event as Events["conversation.items_changed"];
    for (const id of removed) calls.delete(id);
    for (const item of items) if (item.kind === "call") calls.set(item.item_id, item);
  }, new AbortController().signal);
});

const statuses = () => [...calls.values()].map(({ status }) => status);
/** The same after a page was opened again. */
const readAgain = async () => {
  const { items } = await client.call("conversations.page", { conversation_id: talk, limit: 10 });
  return items.map((item) => (item.kind === "call" ? item.status : item.kind));
};
const deny = async (): Promise<string> => {
  const { request_id } = await client.waitingCard();
  await client.call("consent.answer", { request_id, answer: "deny", undoable: true });
  return request_id;
};
/** Resolves after every timer that is due by then. */
const passed = async (ms: number) => {
  client.time.jump(ms);
  await new Promise<void>((done) => client.time.scheduler.after(0, done));
};

describe("a call that was denied", () => {
  it("stays in its conversation when the denial is taken back", async () => {
    const called = agent.write();
    const request_id = await deny();
    await passed(600);
    await client.call("consent.undo", { request_id });
    await passed(1_000);
    expect(statuses()).toEqual(["waiting"]);
    expect(await readAgain()).toEqual(["waiting"]);
    await client.answer("deny");
    await called;
    await expect.poll(statuses, LONG_WAIT).toEqual(["denied"]);
  });

  it("stays while the denial can be taken back, until its log entry replaces it", async () => {
    const called = agent.write();
    await deny();
    await passed(1_500);
    expect(statuses()).toEqual(["waiting"]);
    expect(await readAgain()).toEqual(["waiting"]);
    await passed(3_500);
    expect(await called).toEqual({ refused: "user_refused" });
    await expect.poll(statuses, LONG_WAIT).toEqual(["denied"]);
    expect(await readAgain()).toEqual(["denied"]);
  });
});
