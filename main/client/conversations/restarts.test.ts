import { describe, expect, it } from "vitest";
import type { MessageItem } from "../../../app/bridge/conversation-views.ts";
import { agent, client, connectForEachTest, talk } from "../testing/each-test.ts";
import { eventually, LONG_WAIT } from "../testing/eventually.ts";

connectForEachTest();

const messages = async (): Promise<readonly MessageItem[]> => {
  const { items } = await client.call("conversations.page", { conversation_id: talk, limit: 100 });
  return items.flatMap((item) => (item.kind === "message" ? [item] : []));
};
const sent = (client_message_id: string) =>
  eventually(async () => {
    const found = (await messages()).find((each) => each.client_message_id === client_message_id);
    return found?.state.kind === "sent" ? found : undefined;
  });
const write = (text: string, client_message_id: string) =>
  client.call("conversations.send", { conversation_id: talk, text, client_message_id });

/** As after a crash: the hub has the message, but its answer was not stored. */
function forgetAnswer(client_message_id: string): void {
  const { changes } = client.inDatabase((db) =>
    db
      .prepare(
        `UPDATE messages SET state = 'sending', seq = NULL, message_id = NULL
         WHERE conversation_id = ? AND key = ? AND state = 'sent'`,
      )
      .run(talk, `own:${client_message_id}`),
  );
  expect(changes).toBe(1);
}

describe("what the person wrote before a crash", () => {
  it("is sent again under its id after the restart, and reaches the agent once, in order", async () => {
    const heard: unknown[] = [];
    agent.sdk.addMessageHandler(({ payload }) => heard.push(payload.text));
    await write("first", "own-message-1");
    const before = await sent("own-message-1");
    await expect.poll(() => heard, LONG_WAIT).toEqual(["first"]);
    await client.restart(() => forgetAnswer("own-message-1"));
    const after = await sent("own-message-1");
    expect([after.seq, after.message_id]).toEqual([before.seq, before.message_id]);
    await write("second", "own-message-2");
    await expect.poll(() => heard, LONG_WAIT).toEqual(["first", "second"]);
    expect((await messages()).map(({ text }) => text)).toEqual(["first", "second"]);
  });
});

describe("what an agent writes while the client restarts", () => {
  it("is stored in order, each message once", async () => {
    const texts = Array.from({ length: 30 }, (_, index) => `part ${index}`);
    const saying = texts.map((text) => agent.sdk.send(talk, { type: "text", text }));
    await client.restart();
    await Promise.all(saying);
    await eventually(async () => (await messages()).length >= texts.length || undefined);
    await client.restart();
    await agent.sdk.send(talk, { type: "text", text: "last" });
    await eventually(async () => (await messages()).length > texts.length || undefined);
    const kept = await messages();
    expect(kept.map(({ text }) => text)).toEqual([...texts, "last"]);
    const seqs = kept.map(({ seq }) => seq ?? 0);
    expect(seqs).toEqual(seqs.toSorted((one, other) => one - other));
  });
});
