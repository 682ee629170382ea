import { beforeEach, describe, expect, it } from "vitest";
import { agent, client, connectForEachTest, talk } from "../testing/each-test.ts";
import { eventually } from "../testing/eventually.ts";

connectForEachTest();
beforeEach(async () => {
  await agent.sdk.send(talk, { type: "text", text: "a word to remember" });
  await eventually(async () => (await view())?.unread === 1 || undefined);
});

const view = async () =>
  (await client.call("conversations.list", {})).find((each) => each.conversation_id === talk);
const remove = (args: { readonly keep_history?: boolean } = {}) =>
  client.call("agents.remove", { agent_id: agent.id, ...args });

/** The messages and the names of conversations that are left in the database file. */
const left = () =>
  client.inDatabase((db) => {
    const count = (sql: string) => db.prepare<[string], number>(sql).pluck().get(talk);
    return {
      messages: count("SELECT count(*) FROM messages WHERE conversation_id = ?"),
      about: count("SELECT count(about) FROM conversations WHERE conversation_id = ?"),
    };
  });

describe("the history of an agent that is removed", () => {
  it("is deleted with it: no row is left in the database file", async () => {
    expect(left()).toEqual({ messages: 1, about: 0 });
    await remove();
    expect(await view()).toBeUndefined();
    await client.close();
    expect(left()).toEqual({ messages: 0, about: 0 });
    await client.launch();
    expect(await view()).toBeUndefined();
  });

  it("is kept when the person says so, under the name they gave, and can be read and deleted", async () => {
    await client.call("agents.rename", { agent_id: agent.id, petname: "Archivist" });
    await remove({ keep_history: true });
    await client.restart();
    expect(await view()).toMatchObject({
      title: "Archivist",
      relation: "revoked",
      last_text: "a word to remember",
      offers: { text: false, tools: false },
    });
    const { items } = await client.call("conversations.page", { conversation_id: talk, limit: 5 });
    expect(items).toMatchObject([{ kind: "message", text: "a word to remember", mine: false }]);
    await client.call("conversations.delete_history", { conversation_id: talk });
    expect(left()).toEqual({ messages: 0, about: 0 });
    expect(await view()).toBeUndefined();
  });
});
