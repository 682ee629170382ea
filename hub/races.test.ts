import { expect, test } from "vitest";
import type { HubStorage } from "./hub-storage.ts";
import { openStorage, type StorageOptions } from "./storage/open-storage.ts";
import { HubRig, messageTo, sampleManifest } from "./testing/hub-rig.ts";
import { openLateStorage } from "./testing/late-storage.ts";
import { ofEachTest } from "./testing/of-each-test.ts";

/** Over a storage that takes turns of the event loop, whatever can come between does. */
const rig = ofEachTest(new HubRig(), { open: openLateStorage });

const each = <Value>(count: number, make: (nth: number) => Promise<Value>): Promise<Value[]> =>
  Promise.all(Array.from({ length: count }, (_, nth) => make(nth)));

test("of two answers to one pairing at once, one counts", async () => {
  const { pairing_id } = (await rig.knock()).json.data;
  const answers = await each(4, (nth) =>
    rig.asPerson("POST", `/pairings/${pairing_id}/answer`, {
      accept: nth !== 3,
      granted_scopes: [],
    }),
  );
  const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other);
  expect(statuses).toEqual([200, 409, 409, 409]);
  expect((await rig.asPerson("GET", "/h2a/relations")).json.data.length).toBeLessThan(2);
});

test.each([
  ["was answered in time", 200, "accepted", () => undefined],
  ["has run out if it cannot be kept", 500, "expired", () => Promise.reject(new Error("disk"))],
])(
  "a pairing that runs out while its answer is being kept %s",
  async (_, status, outcome, fail) => {
    const [begun, kept] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const open = async (options: StorageOptions) => {
      const storage = await openStorage(options);
      const acceptPairing: HubStorage["acceptPairing"] = async (...asked) => {
        begun.resolve();
        await kept.promise;
        await fail();
        return storage.acceptPairing(...asked);
      };
      return { ...storage, acceptPairing };
    };
    await rig.restart({ open });
    const { pairing_id } = (await rig.knock()).json.data;
    const accept = { accept: true, granted_scopes: [] };
    const accepting = rig.asPerson("POST", `/pairings/${pairing_id}/answer`, accept);
    await begun.promise;
    rig.time.pass(300_000);
    const human = await rig.human();
    kept.resolve();
    expect((await accepting).status).toBe(status);
    expect((await human.next("pairing.closed")).payload).toEqual({ pairing_id, outcome });
    expect((await rig.asPerson("GET", "/pairings")).json.data).toEqual([]);
  },
);

test("a message sent many times at once is one, delivered once", async () => {
  const { human, agent, conversation_id } = await rig.talk();
  const { type: _, conversation_id: __, ...body } = messageTo(conversation_id, "m");
  for (let nth = 0; nth < 4; nth += 1) human.send(messageTo(conversation_id, "m"));
  const receipts = await each(4, () =>
    rig.asPerson("POST", `/conversations/${conversation_id}/messages`, body),
  );
  for (let nth = 0; nth < 4; nth += 1) {
    expect(await human.next("message.ack")).toMatchObject({ conversation_seq: 1 });
  }
  expect(receipts.map(({ json }) => json.data.conversation_seq)).toEqual([1, 1, 1, 1]);
  human.send(messageTo(conversation_id, "after"));
  await agent.next("message.new");
  expect(await agent.next("message.new")).toMatchObject({ conversation_seq: 2 });
});

test("a relation that ends while messages come leaves nothing waiting, and takes no more", async () => {
  const added = await rig.addAgent();
  const { conversation_id, relation_id } = added.relation;
  const human = await rig.human();
  for (let nth = 0; nth < 10; nth += 1) human.send(messageTo(conversation_id, `before${nth}`));
  const ended = rig.asPerson("DELETE", `/h2a/relations/${relation_id}`);
  for (let nth = 0; nth < 10; nth += 1) human.send(messageTo(conversation_id, `while${nth}`));
  expect((await ended).status).toBe(200);
  human.send(messageTo(conversation_id, "after"));
  let refused: unknown;
  while (refused !== "after") refused = (await human.next("message.refused")).client_message_id;
  const granted = { agent_id: added.agentId, granted_scopes: [] };
  expect((await rig.asPerson("POST", "/h2a/relations", granted)).status).toBe(201);
  const agent = await rig.agent(added);
  human.send(messageTo(conversation_id, "again"));
  const { conversation_seq } = await human
    .next("message.ack")
    .then(() => agent.next("message.new"));
  expect(agent.ofType("message.new")).toHaveLength(1);
  expect(conversation_seq).toBe(human.ofType("message.ack").length);
});

test("an agent that is removed while it comes in does not stay", async () => {
  const added = await rig.addAgent();
  const { client } = await rig.openAgentSocket(added.agentId);
  client.send({ type: "auth", agent_id: added.agentId, token: added.token });
  const removed = rig.asPerson("DELETE", `/h2a/relations/${added.relation.relation_id}`);
  expect([4401, 4411]).toContain(await client.closed);
  expect((await removed).status).toBe(200);
});

test("an agent that is removed while a group is made is not in it", async () => {
  const [one, other] = [await rig.addAgent(), await rig.addAgent()];
  const [made] = await Promise.all([
    rig.group(one, other),
    rig.asPerson("DELETE", `/h2a/relations/${one.relation.relation_id}`),
  ]);
  const path = `/conversations/${made.json.data?.conversation_id}`;
  const { status, json } = await rig.asPerson("GET", path);
  const members: { member_id: string }[] = status === 200 ? json.data.members : [];
  expect(members.map(({ member_id }) => member_id)).not.toContain(one.agentId);
});

test("who connects while messages come gets each of them once and in order", async () => {
  const added = await rig.addAgent();
  const { conversation_id } = added.relation;
  const human = await rig.human();
  for (let nth = 0; nth < 10; nth += 1) human.send(messageTo(conversation_id, `m${nth}`));
  const agent = await rig.agent(added);
  for (let nth = 10; nth < 30; nth += 1) human.send(messageTo(conversation_id, `m${nth}`));
  for (let nth = 0; nth < 30; nth += 1) await human.next("message.ack");
  while (agent.ofType("message.new").length < 30) {
    await agent.settled();
    rig.time.pass(1);
  }
  const seqs = agent.ofType("message.new").map(({ conversation_seq }) => conversation_seq);
  expect(seqs).toEqual(Array.from({ length: 30 }, (_, nth) => nth + 1));
});

test("manifests that come at once get a version each", async () => {
  const added = await rig.addAgent();
  const answers = await each(8, (nth) =>
    rig.patch(added, sampleManifest({ agent_version: `2.0.${nth}` })),
  );
  const versions = answers.map(({ json }) => json.data.capability_manifest_version);
  expect(versions.toSorted()).toEqual([2, 3, 4, 5, 6, 7, 8, 9]);
});
