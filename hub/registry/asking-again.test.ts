import { expect, test } from "vitest";
import { digestOf } from "../../app/contract/digest.ts";
import type { JsonValue } from "../../app/contract/json.ts";
import type { ReauthRequiredFrame } from "../../app/protocol/v1/frames.ts";
import { HubRig, sampleManifest } from "../testing/hub-rig.ts";
import { ofEachTest } from "../testing/of-each-test.ts";

type ReauthPayload = ReauthRequiredFrame["payload"];

const rig = ofEachTest(new HubRig());

const hashOf = (manifest: unknown): string => digestOf(manifest as JsonValue);
const breakingManifest = () =>
  sampleManifest({
    permission_scopes: [
      ...sampleManifest().permission_scopes,
      { id: "location:read", label_i18n_key: "scope.location", sensitivity: "high" },
    ],
  });

test("a breaking patch asks the connected person again, once, and names the scopes", async () => {
  const { agentId, token } = await rig.addAgent();
  const human = await rig.human();
  const body = breakingManifest();
  const reply = await rig.rest("PATCH", `/agents/${agentId}`, { token, body });
  expect(reply.json.data.breaking_changes).toEqual([
    {
      pointer: "/permission_scopes/2",
      kind: "scope_added",
      scope: "location:read",
      tool: null,
      breaking: true,
    },
  ]);
  const changed = await human.next("agent.manifest_changed");
  expect(changed.payload).toEqual({
    agent_id: agentId,
    capability_manifest_version: 2,
    capability_manifest_hash: hashOf(body),
  });
  expect((await human.next("h2a.reauth_required")).payload).toEqual({
    notice_id: expect.any(String),
    agent_id: agentId,
    new_manifest_version: 2,
    new_manifest_hash: hashOf(body),
    scopes_requiring_reauth: ["location:read"],
    breaking_changes: reply.json.data.breaking_changes,
  });
  await human.settled();
  expect(human.ofType("h2a.reauth_required")).toHaveLength(1);
});

test("a harmless patch tells the person of the change and asks nothing", async () => {
  const { agentId, token } = await rig.addAgent();
  const human = await rig.human();
  const body = sampleManifest({ agent_version: "1.0.1" });
  await rig.rest("PATCH", `/agents/${agentId}`, { token, body });
  await human.next("agent.manifest_changed");
  await human.settled();
  expect(human.ofType("h2a.reauth_required")).toEqual([]);
});

test("what a manifest would break is told beforehand, and changes nothing", async () => {
  const { agentId, token } = await rig.addAgent();
  const human = await rig.human();
  const next = breakingManifest();
  const preview = { capability_manifest: next };
  const told = await rig.asPerson("POST", `/agents/${agentId}/manifest-preview`, preview);
  await human.settled();
  expect(human.ofType("agent.manifest_changed")).toEqual([]);
  expect(human.ofType("h2a.reauth_required")).toEqual([]);
  expect((await rig.rest("GET", `/agents/${agentId}`)).json.data).toMatchObject({
    capability_manifest: sampleManifest(),
    capability_manifest_version: 1,
  });
  const applied = await rig.rest("PATCH", `/agents/${agentId}`, { token, body: next });
  expect(told.json.data).toEqual({ ...applied.json.data, capability_manifest_version: 1 });
});

/** What a client is asked again about when it connects now. */
async function askedAtConnect() {
  const human = await rig.human();
  await human.settled();
  human.close();
  return human.ofType("h2a.reauth_required").map(({ payload }) => payload as ReauthPayload);
}

test("a person is asked again at every connect until their client has received the notice", async () => {
  const { agentId, token } = await rig.addAgent();
  await rig.rest("PATCH", `/agents/${agentId}`, { token, body: breakingManifest() });
  const first = await askedAtConnect();
  expect(first).toMatchObject([{ agent_id: agentId, new_manifest_version: 2 }]);
  expect(await askedAtConnect()).toEqual(first);
  const human = await rig.human();
  human.send({ type: "notice.received", notice_id: first[0]?.notice_id });
  await human.settled();
  expect(await askedAtConnect()).toEqual([]);
});

test("only the notice that was received is forgotten, and unknown ids are ignored", async () => {
  const { agentId, token } = await rig.addAgent();
  const other = await rig.addAgent();
  for (const each of [{ agentId, token }, other]) {
    const body = breakingManifest();
    await rig.rest("PATCH", `/agents/${each.agentId}`, { token: each.token, body });
  }
  const [first, second] = await askedAtConnect();
  const human = await rig.human();
  for (const id of ["999", "x", `${second?.notice_id}.0`, ` ${second?.notice_id}`]) {
    human.send({ type: "notice.received", notice_id: id });
  }
  human.send({ type: "notice.received", notice_id: first?.notice_id });
  human.send({ type: "notice.received", notice_id: first?.notice_id });
  await human.settled();
  expect(human.ofType("frame.error")).toHaveLength(1);
  expect(await askedAtConnect()).toEqual([second]);
});

test("an agent cannot say for the person that a notice was received", async () => {
  const added = await rig.addAgent();
  const { agentId, token } = added;
  await rig.rest("PATCH", `/agents/${agentId}`, { token, body: breakingManifest() });
  const asked = await askedAtConnect();
  const agent = await rig.agent(added);
  agent.send({ type: "notice.received", notice_id: asked[0]?.notice_id });
  await agent.settled();
  expect(asked).toHaveLength(1);
  expect(await askedAtConnect()).toEqual(asked);
});

test("a further breaking patch is a notice of its own, and repeats none to who is there", async () => {
  const { agentId, token } = await rig.addAgent();
  const human = await rig.human();
  for (const body of [breakingManifest(), sampleManifest(), breakingManifest()]) {
    await rig.rest("PATCH", `/agents/${agentId}`, { token, body });
  }
  await human.settled();
  const versions = human
    .ofType("h2a.reauth_required")
    .map(({ payload }) => (payload as ReauthPayload).new_manifest_version);
  expect(versions).toEqual([2, 4]);
});
