import { beforeEach, expect, test } from "vitest";
import { type AddedAgent, HubRig, sampleManifest } from "../testing/hub-rig.ts";
import { ofEachTest } from "../testing/of-each-test.ts";
import type { TestClient } from "../testing/test-client.ts";

const rig = ofEachTest(new HubRig());
let added: AddedAgent;
beforeEach(async () => {
  added = await rig.addAgent();
});

/** The next frame that says so of the agent. */
async function presence(human: TestClient, online: boolean): Promise<void> {
  while ((await human.next("agent.presence")).online !== online);
}

const remove = () => rig.asPerson("DELETE", `/h2a/relations/${added.relation.relation_id}`);
const WEBHOOK = { connection_mode: "webhook", webhook_url: "http://127.0.0.1:9/" };

test("an agent that is removed while its new manifest is checked keeps the old one", async () => {
  const looking = Promise.withResolvers<void>();
  const looked = Promise.withResolvers<readonly never[]>();
  let isSlow = false;
  await rig.restart({
    checkSchema: () => {
      if (!isSlow) return Promise.resolve([]);
      looking.resolve();
      return looked.promise;
    },
  });
  added = await rig.addAgent();
  isSlow = true;
  const { agentId, token } = added;
  const patching = rig.rest("PATCH", `/agents/${agentId}`, { token, body: sampleManifest() });
  await looking.promise;
  await remove();
  looked.resolve([]);
  expect((await patching).json.error.code).toBe("AGENT_REMOVED");
  expect((await rig.agentView(agentId)).capability_manifest_version).toBe(1);
});

test("an agent removed while connected is told and disconnected, and is not online", async () => {
  const human = await rig.human();
  const agent = await rig.agent(added);
  await presence(human, true);
  await remove();
  await agent.next("relation.revoked");
  expect(await agent.closed).toBe(4411);
  await presence(human, false);
  const { client } = await rig.openAgentSocket(added.agentId);
  client.send({ type: "auth", agent_id: added.agentId, token: added.token });
  expect(await client.next("auth.error")).toMatchObject({ reason: "agent_removed" });
  expect(await client.closed).toBe(4401);
});

test("a webhook agent that is removed is not online, and is again when it is added again", async () => {
  const { agentId, token } = added;
  await rig.rest("PATCH", `/agents/${agentId}`, { token, body: WEBHOOK });
  const human = await rig.human();
  await presence(human, true);
  await remove();
  await presence(human, false);
  const again = { agent_id: agentId, granted_scopes: [] };
  await rig.asPerson("POST", "/h2a/relations", again);
  await presence(human, true);
});

test("its token counts again once the person has added it again, and that of one nobody has yet", async () => {
  const { agentId, token } = added;
  await remove();
  await rig.asPerson("POST", "/h2a/relations", { agent_id: agentId, granted_scopes: [] });
  const body = sampleManifest();
  expect((await rig.rest("PATCH", `/agents/${agentId}`, { token, body })).status).toBe(200);
  const made = await rig.asPerson("POST", "/agents", { name: "New", capability_manifest: body });
  const fresh = made.json.data;
  const path = `/agents/${fresh.agent_id}`;
  expect((await rig.rest("PATCH", path, { token: fresh.token, body })).status).toBe(200);
});
