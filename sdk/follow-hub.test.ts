import { expect, test } from "vitest";
import { ofEachTest } from "../hub/testing/of-each-test.ts";
import type { HubMovedEvent } from "./index.ts";
import { LivedInHub } from "./testing/lived-in-hub.ts";
import { MANIFEST } from "./testing/start-agent.ts";

const here = ofEachTest(new LivedInHub());
const there = ofEachTest(new LivedInHub());

async function met() {
  const person = await here.arrived();
  const { agent, credentials } = await here.pair();
  const { agentId, conversationId } = credentials;
  const heard: HubMovedEvent["payload"][] = [];
  agent.addEventHandler((event) => {
    if (event.type === "hub.moved") heard.push(event.payload);
  });
  const texts: unknown[] = [];
  agent.addMessageHandler((message) => texts.push(message));
  /** Registered there as whoever brings it along does. */
  const bring = async (): Promise<string> => {
    const { identity_card } = (await here.asPerson("GET", `/keys/${agentId}`)).json.data;
    const ids = { relation_id: "moved", conversation_id: conversationId };
    const arrival = { name: "Reader", capability_manifest: MANIFEST, identity_card, ...ids };
    return (await there.asPerson("PUT", `/agents/${agentId}`, arrival)).json.data.token;
  };
  const isThere = async (token: string) =>
    (await there.rest("GET", "/keys/mine", { token })).status === 200;
  return { person, agent, conversationId, heard, texts, bring, isThere };
}

test("an agent goes to the hub that its person names, and to none that they named before", async () => {
  const { person, conversationId, heard, bring, isThere } = await met();
  const token = await bring();
  const notice = { hub: there.url, token, moved_at: 2 };
  await person.moves(conversationId, { ...notice, hub: here.url, moved_at: 0 });
  await person.moves(conversationId, notice);
  await expect.poll(() => heard).toMatchObject([{ hub: there.url, followed: true }]);
  // It publishes its keys where it is.
  await expect.poll(() => isThere(token)).toBe(true);
});

test("and stays where it is if that hub does not let it in, or it never had a token there", async () => {
  const { person, conversationId, heard, texts } = await met();
  const wrong = { hub: there.url, token: `hsk_${"0".repeat(40)}`, moved_at: 2 };
  await person.moves(conversationId, wrong);
  await expect.poll(() => heard).toMatchObject([{ hub: there.url, followed: false }]);
  await person.moves(conversationId, { ...wrong, token: null });
  await expect.poll(() => heard).toHaveLength(2);
  expect(heard[1]).toMatchObject({ followed: false });
  for (const hub of ["http://hub.example", "https://a:b@hub.example", "ftp://hub.example", ""]) {
    await person.moves(conversationId, { ...wrong, hub });
  }
  await person.say(conversationId, "Still here?");
  await expect.poll(() => texts).toHaveLength(1);
  expect(heard).toHaveLength(2);
});
