import { expect, it } from "vitest";
import { createIdentity, encodeCard } from "../../app/encryption/identity/identity.ts";
import { nodePrimitives as crypto } from "../../runtime/crypto/node-primitives.ts";
import { HubRig, sampleManifest } from "../testing/hub-rig.ts";
import { keysOf } from "../testing/key-owner.ts";
import { ofEachTest } from "../testing/of-each-test.ts";

const rig = ofEachTest(new HubRig());

const AGENT_ID = "AgentsOwnChoiceOfItsId";
const ask = (identity_card: string | undefined, encryption: string | undefined = "ratchet") =>
  rig.rest("POST", "/pairings", {
    body: { name: "Agent", capability_manifest: sampleManifest(), identity_card, encryption },
  });
const accept = (pairingId: string) =>
  rig.asPerson("POST", `/pairings/${pairingId}/answer`, { accept: true, granted_scopes: [] });

it("an agent's card reaches the person, becomes its id, and the person's card comes back", async () => {
  const person = await keysOf(rig.hub.userId);
  await rig.asPerson("PUT", "/keys/mine", person.body);
  const { body, keyId } = await keysOf(AGENT_ID, 2, "ratchet");
  const human = await rig.human();
  const { json } = await ask(body.identity_card);
  expect(json.data.person_card).toBe(person.body.identity_card);
  const { payload } = await human.next("pairing.requested");
  expect(payload).toMatchObject({ identity_card: body.identity_card, encryption: "ratchet" });
  await accept(json.data.pairing_id);
  const state = await rig.rest("GET", `/pairings/${json.data.pairing_id}`, {
    token: json.data.pairing_token,
  });
  expect(state.json.data).toMatchObject({
    agent_id: AGENT_ID,
    person_card: person.body.identity_card,
  });
  const mine = await rig.rest("GET", "/keys/mine", { token: state.json.data.token });
  expect(mine.json.data).toEqual({ key_id: keyId, one_time_left: 0 });
  // Nobody can write to it before it has published what a session begins with.
  expect((await rig.asPerson("POST", `/keys/${AGENT_ID}/bundle`)).status).toBe(404);
});

it("an id that is somebody's, or none of ours, is refused", async () => {
  const { body } = await keysOf(AGENT_ID, 2, "ratchet");
  const first = await ask(body.identity_card);
  await accept(first.json.data.pairing_id);
  const owners = [AGENT_ID, rig.hub.userId, "short", "x".repeat(23), "with a space in it, 22"];
  for (const owner of owners) {
    const { status, json } = await ask((await keysOf(owner, 2, "ratchet")).body.identity_card);
    expect([status, json.error.params]).toEqual([400, { fault: "identity_card" }]);
  }
});

it("a card without a level, or with another than is named, is refused", async () => {
  const { body } = await keysOf(AGENT_ID, 2, "ratchet");
  const person = await keysOf(AGENT_ID);
  expect((await ask(person.body.identity_card)).status).toBe(400);
  expect((await ask(body.identity_card, "sealed")).status).toBe(400);
  const request = { name: "Agent", capability_manifest: sampleManifest() };
  for (const half of [{ identity_card: body.identity_card }, { encryption: "sealed" }]) {
    const { status } = await rig.rest("POST", "/pairings", { body: { ...request, ...half } });
    expect(status).toBe(400);
  }
});

it("a card whose signature does not hold, or whose agreement key is worthless, is refused", async () => {
  const { body } = await keysOf(AGENT_ID, 2, "ratchet");
  const bytes = Buffer.from(body.identity_card, "base64");
  const forged = Buffer.from(bytes);
  forged[forged.length - 1] = (forged.at(-1) ?? 0) ^ 1;
  const zero = { ...crypto, x25519PublicKey: () => new Uint8Array(32) };
  const worthless = encodeCard(createIdentity(zero, AGENT_ID, "ratchet").card);
  for (const card of [forged, worthless]) {
    const { status, json } = await ask(Buffer.from(card).toString("base64"));
    expect([status, json.error.params]).toEqual([400, { fault: "identity_card" }]);
  }
  expect((await rig.asPerson("GET", "/h2a/relations")).json.data).toEqual([]);
});
