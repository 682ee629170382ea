import { beforeEach, describe, expect, it } from "vitest";
import { fromBase64 } from "../../app/contract/base64.ts";
import { readBundle } from "../../app/encryption/x3dh/x3dh.ts";
import { nodePrimitives as crypto } from "../../runtime/crypto/node-primitives.ts";
import { type AddedAgent, HubRig } from "../testing/hub-rig.ts";
import { keysOf, NOW } from "../testing/key-owner.ts";
import { ofEachTest } from "../testing/of-each-test.ts";

const rig = ofEachTest(new HubRig());
let agent: AddedAgent;
beforeEach(async () => {
  agent = await rig.addAgent();
});

const publish = (token: string, body: unknown) => rig.rest("PUT", "/keys/mine", { token, body });
const bundle = async (ownerId: string) => {
  const { status, json } = await rig.asPerson("POST", `/keys/${ownerId}/bundle`);
  return { status, bytes: fromBase64(json.data?.bundle ?? "") ?? new Uint8Array(0) };
};

describe("the key directory", () => {
  it("hands out what was published, and each one-time prekey once", async () => {
    const { body, identity, keyId } = await keysOf(agent.agentId);
    const { json } = await publish(agent.token, body);
    expect(json.data).toEqual({ key_id: keyId, one_time_left: 2 });
    const ids = [];
    for (let asked = 0; asked < 3; asked += 1) {
      const { bytes } = await bundle(agent.agentId);
      const read = await readBundle(crypto, bytes, { card: identity.card, now: NOW });
      ids.push(read.oneTime?.id ?? null);
    }
    expect(ids).toEqual([2, 3, null]);
    const mine = await rig.rest("GET", "/keys/mine", { token: agent.token });
    expect(mine.json.data).toEqual({ key_id: keyId, one_time_left: 0 });
  });

  it("gives both ends the other's card", async () => {
    const agentKeys = await keysOf(agent.agentId);
    const personKeys = await keysOf(rig.hub.userId);
    await publish(agent.token, agentKeys.body);
    await publish(await rig.hub.issueAccessToken(), personKeys.body);
    const ofAgent = await rig.asPerson("GET", `/keys/${agent.agentId}`);
    expect(ofAgent.json.data).toEqual({
      owner_id: agent.agentId,
      identity_card: agentKeys.body.identity_card,
    });
    const token = agent.token;
    const ofPerson = await rig.rest("GET", `/keys/${rig.hub.userId}`, { token });
    expect(ofPerson.json.data.identity_card).toBe(personKeys.body.identity_card);
  });

  it("knows nobody to those who share no conversation, nor to an agent that was removed", async () => {
    const other = await rig.addAgent();
    await publish(other.token, (await keysOf(other.agentId)).body);
    const token = agent.token;
    expect((await rig.rest("GET", `/keys/${other.agentId}`, { token })).status).toBe(404);
    const person = await keysOf(rig.hub.userId);
    await publish(await rig.hub.issueAccessToken(), person.body);
    await rig.asPerson("DELETE", `/h2a/relations/${agent.relation.relation_id}`);
    expect((await rig.rest("GET", `/keys/${rig.hub.userId}`, { token })).status).toBe(403);
    expect((await rig.rest("GET", "/keys/mine", { token: "hsk_none" })).status).toBe(401);
  });

  it("shows members of a group each other's cards", async () => {
    const other = await rig.addAgent();
    const agent_ids = [agent.agentId, other.agentId];
    await rig.asPerson("POST", "/conversations", { type: "group", agent_ids });
    await publish(other.token, (await keysOf(other.agentId)).body);
    const asked = await rig.rest("GET", `/keys/${other.agentId}`, { token: agent.token });
    expect(asked.status).toBe(200);
  });

  it("takes no card of somebody else, and nothing that cannot be read", async () => {
    const stranger = await keysOf("somebody-else");
    expect((await publish(agent.token, stranger.body)).status).toBe(403);
    const { body } = await keysOf(agent.agentId);
    const wrong = [
      { ...body, identity_card: body.signed_prekey },
      { ...body, signed_prekey: body.one_time_prekeys[0] },
      { ...body, one_time_prekeys: [body.signed_prekey] },
      { ...body, one_time_prekeys: ["====", ...body.one_time_prekeys] },
      { ...body, one_time_prekeys: Array.from({ length: 101 }, () => body.one_time_prekeys[0]) },
      { ...body, extra: 1 },
    ];
    for (const each of wrong) expect((await publish(agent.token, each)).status).toBe(400);
    expect((await rig.rest("GET", "/keys/mine", { token: agent.token })).status).toBe(404);
  });

  it("keeps 200 one-time prekeys of an owner, and drops all with another identity", async () => {
    const first = await keysOf(agent.agentId, 100);
    const { identity_card } = first.body;
    await publish(agent.token, first.body);
    for (let round = 0; round < 2; round += 1) {
      const { body } = await keysOf(agent.agentId, 100);
      await publish(agent.token, { ...body, identity_card });
    }
    const left = await rig.rest("GET", "/keys/mine", { token: agent.token });
    expect(left.json.data.one_time_left).toBe(200);
    const { json } = await publish(agent.token, (await keysOf(agent.agentId, 1)).body);
    expect(json.data.one_time_left).toBe(1);
  });
});

describe("notices of keys", () => {
  it("tell the others of another identity, at once and at each connect", async () => {
    const first = await keysOf(agent.agentId);
    await publish(agent.token, first.body);
    const person = await rig.human();
    const told = { type: "keys.changed", owner_id: agent.agentId };
    expect(await person.next("keys.changed")).toEqual({ ...told, key_id: first.keyId });
    const second = await keysOf(agent.agentId);
    await publish(agent.token, second.body);
    expect(await person.next("keys.changed")).toEqual({ ...told, key_id: second.keyId });
  });

  it("tell both ends, after a suspension, of identities published meanwhile", async () => {
    await publish(agent.token, (await keysOf(agent.agentId)).body);
    await publish(rig.person, (await keysOf(rig.hub.userId)).body);
    const path = `/h2a/relations/${agent.relation.relation_id}`;
    await rig.asPerson("POST", `${path}/suspend`);
    const [person, line] = [await rig.human(), await rig.agent(agent)];
    const agentKeys = await keysOf(agent.agentId);
    const personKeys = await keysOf(rig.hub.userId);
    await publish(agent.token, agentKeys.body);
    await publish(rig.person, personKeys.body);
    await rig.asPerson("POST", `${path}/restore`);
    expect(await person.next("keys.changed")).toMatchObject({
      owner_id: agent.agentId,
      key_id: agentKeys.keyId,
    });
    expect(await line.next("keys.changed")).toMatchObject({
      owner_id: rig.hub.userId,
      key_id: personKeys.keyId,
    });
  });

  it("tell an owner that its prekeys run low, when one is taken and at connect", async () => {
    await publish(agent.token, (await keysOf(agent.agentId, 20)).body);
    const line = await rig.agent(agent);
    await bundle(agent.agentId);
    expect(await line.next("prekeys.low")).toEqual({ type: "prekeys.low", one_time_left: 19 });
    const later = await rig.agent(agent);
    expect(await later.next("prekeys.low")).toMatchObject({ one_time_left: 19 });
  });
});
