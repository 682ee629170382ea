import { beforeEach, expect, test } from "vitest";
import { HubRig, messageTo, sampleManifest } from "../testing/hub-rig.ts";
import { InvitedPerson } from "../testing/invited-person.ts";
import { keysOf } from "../testing/key-owner.ts";
import { ofEachTest } from "../testing/of-each-test.ts";

const rig = ofEachTest(new HubRig());
let ada: InvitedPerson;
let ben: InvitedPerson;
beforeEach(async () => {
  ada = await InvitedPerson.at(rig, "ada");
  ben = await InvitedPerson.at(rig, "ben");
});

const register = async (by: InvitedPerson) => {
  const body = { name: "Agent", capability_manifest: sampleManifest() };
  const { json } = await by.ask("POST", "/agents", body);
  return { agentId: json.data.agent_id as string, token: json.data.token as string };
};
const LOCATION = { id: "location:read", label_i18n_key: "l", sensitivity: "high" };
const manifestWith = (...more: readonly object[]) =>
  sampleManifest({ permission_scopes: [...sampleManifest().permission_scopes, ...more] });

test("an agent is changed by itself and by its owner, and by no other person", async () => {
  const agent = await register(ada);
  await ben.add(agent.agentId, []);
  const path = `/agents/${agent.agentId}`;
  const update = { capability_manifest: sampleManifest() };
  for (const ask of [
    ben.ask("PATCH", path, update),
    ben.ask("PATCH", path, { connection_mode: "websocket" }),
    ben.ask("POST", `${path}/manifest-preview`, update),
    rig.asPerson("PATCH", path, update),
  ]) {
    expect((await ask).json.error).toMatchObject({ code: "FORBIDDEN" });
  }
  expect((await ada.ask("PATCH", path, update)).status).toBe(200);
  expect((await rig.rest("PATCH", path, { token: agent.token, body: update })).status).toBe(200);
  expect((await rig.agentView(agent.agentId)).capability_manifest_version).toBe(3);
  expect(await rig.agentView(agent.agentId)).not.toHaveProperty("owner_id");
});

test("what is another person's is not there: relations, their ledgers, pairings, conversations", async () => {
  const { agentId } = await register(ada);
  const { relation_id, conversation_id } = await ada.add(agentId, ["filesystem:read"]);
  const paired = await rig.rest("POST", "/pairings", {
    body: { name: "P", capability_manifest: sampleManifest(), user_id: "ada" },
  });
  const pairing = `/pairings/${paired.json.data.pairing_id}`;
  const relation = `/h2a/relations/${relation_id}`;
  const talk = `/conversations/${conversation_id}`;
  const stranger = [ben, { ask: rig.asPerson.bind(rig) }];
  for (const by of stranger) {
    const asked = [
      by.ask("PATCH", relation, { granted_scopes: [] }),
      by.ask("POST", `${relation}/suspend`),
      by.ask("POST", `${relation}/restore`),
      by.ask("DELETE", relation),
      by.ask("GET", `${relation}/ledger`),
      by.ask("POST", `${relation}/ledger`, { index: 0, entry: "AAAA" }),
      by.ask("POST", `${pairing}/answer`, { accept: true, granted_scopes: [] }),
      by.ask("GET", talk),
      by.ask("POST", `${talk}/read`, { seq: 1 }),
      by.ask("POST", "/conversations", { type: "group", user_ids: ["ada"] }),
      by.ask("GET", "/keys/ada"),
    ];
    for (const reply of await Promise.all(asked)) {
      expect([reply.status, reply.json.error.code]).toEqual([404, "NOT_FOUND"]);
    }
    expect((await by.ask("GET", "/pairings")).json.data).toEqual([]);
    expect((await by.ask("GET", "/h2a/relations")).json.data).toEqual([]);
    expect((await by.ask("GET", "/conversations")).json.data).toEqual([]);
    const { type: _, conversation_id: __, ...message } = messageTo(conversation_id, "hello");
    const sent = await by.ask("POST", `${talk}/messages`, message);
    expect(sent.json.error.code).toBe("NOT_A_MEMBER");
  }
  expect((await ada.ask("GET", "/pairings")).json.data).toHaveLength(1);
  expect((await ada.ask("GET", "/h2a/relations")).json.data).toMatchObject([
    { status: "active", granted_scopes: ["filesystem:read"] },
  ]);
});

test("a pairing asks the person it names, whose agent it becomes, and nobody else hears of it", async () => {
  const [client, other] = [await ada.connect(), await rig.human()];
  const asked = { name: "P", capability_manifest: sampleManifest() };
  const pairing = await rig.rest("POST", "/pairings", { body: { ...asked, user_id: "ada" } });
  const { pairing_id, pairing_token: token } = pairing.json.data;
  expect((await client.next("pairing.requested")).payload).toMatchObject({ pairing_id });
  const answer = { accept: true, granted_scopes: ["filesystem:read"] };
  const { json } = await ada.ask("POST", `/pairings/${pairing_id}/answer`, answer);
  expect(json.data).toMatchObject({ user_id: "ada", status: "active" });
  const state = await rig.rest("GET", `/pairings/${pairing_id}`, { token });
  expect(state.json.data).toMatchObject({ status: "accepted", user_id: "ada" });
  const update = { capability_manifest: sampleManifest() };
  expect((await ada.ask("PATCH", `/agents/${json.data.agent_id}`, update)).status).toBe(200);
  await other.settled();
  expect(other.ofType("pairing.requested")).toEqual([]);
  const nobody = await rig.rest("POST", "/pairings", { body: { ...asked, user_id: "nobody" } });
  expect(nobody.json.error.code).toBe("NOT_FOUND");
});

test("a breaking manifest asks each person for what they had granted, and each answers alone", async () => {
  const agent = await register(ada);
  const ofAda = await ada.add(agent.agentId, ["filesystem:read"]);
  const ofBen = await ben.add(agent.agentId, ["notification:send"]);
  const clients = [await ada.connect(), await ben.connect()];
  for (const client of clients) await client.next("auth.ok");
  const connected = await rig.agent(agent);
  const body = manifestWith(LOCATION);
  await rig.rest("PATCH", `/agents/${agent.agentId}`, { token: agent.token, body });
  for (const client of clients) {
    expect((await client.next("h2a.reauth_required")).payload).toMatchObject({
      agent_id: agent.agentId,
      scopes_requiring_reauth: ["location:read"],
    });
  }
  const answer = { capability_manifest_version: 2, granted_scopes: ["location:read"] };
  await ben.ask("PATCH", `/h2a/relations/${ofBen.relation_id}`, answer);
  expect((await connected.next("agent.capability_changed")).payload).toMatchObject({
    user_id: "ben",
    accepted: true,
  });
  expect((await ada.ask("GET", "/h2a/relations")).json.data).toMatchObject([
    {
      relation_id: ofAda.relation_id,
      granted_scopes: ["filesystem:read"],
      reauth: { manifest_version: 2, scopes: ["location:read"] },
    },
  ]);
  await ada.ask("DELETE", `/h2a/relations/${ofAda.relation_id}`);
  expect((await ben.ask("GET", "/h2a/relations")).json.data).toMatchObject([{ status: "active" }]);
});

test("a breaking manifest asks each person for the scopes that they had granted, and for new ones", async () => {
  const agent = await register(ada);
  await ada.add(agent.agentId, ["filesystem:read"]);
  await ben.add(agent.agentId, ["notification:send"]);
  const carol = await InvitedPerson.at(rig, "carol");
  await carol.add(agent.agentId, []);
  const raised = (...ids: readonly string[]) =>
    sampleManifest().permission_scopes.map((scope) =>
      ids.includes(scope.id) ? { ...scope, sensitivity: "high" } : scope,
    );
  const asked = async (permission_scopes: readonly object[]) => {
    const body = sampleManifest({ permission_scopes });
    await rig.rest("PATCH", `/agents/${agent.agentId}`, { token: agent.token, body });
    return Promise.all(
      [ada, ben, carol].map(async (person) => {
        const client = await person.connect();
        await client.settled();
        const payload = client.ofType("h2a.reauth_required").at(-1)?.payload;
        const { reauth } = (await person.ask("GET", "/h2a/relations")).json.data[0];
        const { scopes_requiring_reauth } = payload as { scopes_requiring_reauth: string[] };
        return [scopes_requiring_reauth, reauth?.scopes ?? null];
      }),
    );
  };
  const both = raised("filesystem:read", "notification:send");
  expect(await asked(both)).toEqual([
    [["filesystem:read"], ["filesystem:read"]],
    [["notification:send"], ["notification:send"]],
    [[], null],
  ]);
  const { id } = LOCATION;
  expect(await asked([...both, LOCATION])).toEqual([
    [[id], ["filesystem:read", id]],
    [[id], ["notification:send", id]],
    [[id], [id]],
  ]);
});

test("an agent comes along with its owner alone, under its ids", async () => {
  const id = "m".repeat(22);
  const { body: card } = await keysOf(id, 1, "ratchet");
  const arrival = {
    name: "Moved",
    capability_manifest: sampleManifest(),
    identity_card: card.identity_card,
    relation_id: "moved relation",
    conversation_id: "moved talk",
  };
  const path = `/agents/${id}`;
  const { token } = (await ada.ask("PUT", path, arrival)).json.data;
  expect((await ben.ask("PUT", path, arrival)).json.error.code).toBe("FORBIDDEN");
  const [relation] = (await ada.ask("GET", "/h2a/relations")).json.data;
  const { relation_id, conversation_id } = arrival;
  expect(relation).toMatchObject({
    agent_id: id,
    relation_id,
    conversation_id,
    granted_scopes: [],
  });
  const again = (await ada.ask("PUT", path, arrival)).json.data;
  expect(again.token).not.toBe(token);
  expect((await rig.rest("GET", "/keys/mine", { token })).status).toBe(401);
  expect((await rig.rest("PUT", "/keys/mine", { token: again.token, body: card })).status).toBe(
    200,
  );
  const changed = { ...arrival, capability_manifest: manifestWith(LOCATION) };
  expect((await ada.ask("PUT", path, changed)).json.data).toEqual({ agent_id: id, token: null });
  expect((await rig.agentView(id)).capability_manifest_version).toBe(2);
});
