import { describe, expect, it } from "vitest";
import type { RegisteredAgentView } from "../../../app/bridge/agent-views.ts";
import { client, launchForEachTest } from "../testing/each-test.ts";
import { eventually } from "../testing/eventually.ts";
import { interceptFetch, loseRequests } from "../testing/intercept-fetch.ts";
import { ALL_SCOPES, MANIFEST, NEXT_MANIFEST } from "../testing/test-manifest.ts";

launchForEachTest({ withAnother: true });

const agentsShown = async () => (await client.snapshot()).agents;
const statesOf = async (agentId: string) => {
  const card = (await agentsShown()).find(({ agent_id }) => agent_id === agentId);
  return card === undefined
    ? undefined
    : Object.fromEntries(card.grants.map(({ scope, state }) => [scope.id, state]));
};
const asShown = (found: RegisteredAgentView) => ({
  agent_id: found.agent_id,
  manifest_version: found.manifest_version,
  manifest_digest: found.manifest_digest,
});

describe("an agent that another client of the person's adds", () => {
  const SCOPES = ["notification:send", "clipboard:write"];

  it("is taken in at once with consent asked, and works once the person has answered", async () => {
    const { agent_id, token } = await client.hub.registerAgent("Elsewhere", MANIFEST);
    expect(await agentsShown()).toEqual([]);
    const { conversation_id } = await client.hub.relate(agent_id, SCOPES);
    const agent = await client.arriving(agent_id, token, conversation_id);
    expect(await agent.notify()).toEqual({ refused: "scope_not_granted" });
    expect(await statesOf(agent_id)).toEqual({
      "notification:send": "awaiting_reconsent",
      "filesystem:read": "never_granted",
      "clipboard:write": "awaiting_reconsent",
      "clipboard:read": "never_granted",
    });
    const { notices } = await client.snapshot();
    expect(notices).toContainEqual({ code: "agents_found", params: { name: "Elsewhere" } });
    await client.setScopes(agent, ["notification:send"]);
    expect(await agent.notify()).toEqual({ result: { shown: true, folded: false } });
    const after = (await client.snapshot()).notices.map(({ code }) => code);
    expect(after).not.toContain("agents_found");
    expect((await client.hub.relation(agent_id))?.granted_scopes).toEqual(["notification:send"]);
  });

  it("is asked about after a restart just the same", async () => {
    const { agent_id } = await client.hub.registerAgent("Elsewhere", MANIFEST);
    await client.hub.relate(agent_id, SCOPES);
    await eventually(() => statesOf(agent_id));
    await client.restart();
    expect(await statesOf(agent_id)).toMatchObject({ "clipboard:write": "awaiting_reconsent" });
  });
});

describe("registering an agent of the person's own", () => {
  const register = (name: string, manifest: object = MANIFEST) =>
    client.call("agents.register", { name, text: JSON.stringify(manifest) });

  it("gives its id and a token with which it works once the person has added it", async () => {
    const { agent_id, token } = await register("Mine");
    expect(await agentsShown()).toEqual([]);
    const found = await client.call("agents.find", { text: agent_id });
    expect(found.name).toBe("Mine");
    const granted_scopes = ["notification:send"];
    await client.call("agents.add", { ...asShown(found), granted_scopes });
    const conversation = (await client.hub.relation(agent_id))?.conversation_id ?? "";
    const agent = await client.arriving(agent_id, token, conversation);
    expect(await agent.notify()).toEqual({ result: { shown: true, folded: false } });
  });

  it("registers nothing without a visible name or a valid manifest", async () => {
    await expect(register("\u200b")).rejects.toThrow("nothing_visible");
    await expect(register("Mine", { ...MANIFEST, schema_version: "2.0" })).rejects.toThrow(
      "manifest_refused",
    );
    const [tool] = MANIFEST.tools;
    const onlyHubSees = { ...tool, input_schema: { type: "object", pattern: "(" } };
    await expect(register("Mine", { ...MANIFEST, tools: [onlyHubSees] })).rejects.toThrow(
      "manifest_refused",
    );
    loseRequests();
    await expect(register("Mine")).rejects.toThrow("hub_unreachable");
  });
});

describe("adding a registered agent by its id", () => {
  const find = (text: string) => client.call("agents.find", { text });

  it("shows what it asks for, and grants exactly what was chosen", async () => {
    const { agent_id, token } = await client.hub.registerAgent("Reader", MANIFEST);
    const found = await find(`consentry:agent/${agent_id}`);
    expect(found).toMatchObject({ agent_id, name: "Reader", manifest_version: 1, warnings: [] });
    expect(found.scopes.map(({ id }) => id)).toEqual(ALL_SCOPES);
    expect(await agentsShown()).toEqual([]);
    const granted_scopes = ["notification:send"];
    await client.call("agents.add", { ...asShown(found), granted_scopes });
    expect(await statesOf(agent_id)).toMatchObject({
      "notification:send": "granted",
      "clipboard:write": "never_granted",
    });
    const relation = await client.hub.relation(agent_id);
    expect(relation?.granted_scopes).toEqual(granted_scopes);
    const agent = await client.arriving(agent_id, token, relation?.conversation_id ?? "");
    expect(await agent.notify()).toEqual({ result: { shown: true, folded: false } });
    expect((await client.snapshot()).notices.map(({ code }) => code)).not.toContain("agents_found");
    await expect(find(agent_id)).rejects.toThrow("already_added");
  });

  it("brings a removed agent back with its old token", async () => {
    const agent = await client.addAgent();
    await client.call("agents.remove", { agent_id: agent.id });
    const found = await find(agent.id);
    await client.call("agents.add", { ...asShown(found), granted_scopes: ["notification:send"] });
    const again = await client.returning(agent);
    expect(await again.notify()).toEqual({ result: { shown: true, folded: false } });
    expect(await again.write()).toEqual({ refused: "scope_not_granted" });
  });

  it("adds nothing if the manifest has changed since it was shown", async () => {
    const { agent_id, token } = await client.hub.registerAgent("Reader", MANIFEST);
    const found = await find(agent_id);
    await client.hub.patchManifest(agent_id, token, NEXT_MANIFEST);
    const add = client.call("agents.add", { ...asShown(found), granted_scopes: ALL_SCOPES });
    await expect(add).rejects.toThrow("manifest_changed");
    expect(await agentsShown()).toEqual([]);
    expect(await client.hub.relation(agent_id)).toBeUndefined();
  });

  it("adds nothing if the manifest changes while it is being added", async () => {
    const { agent_id, token } = await client.hub.registerAgent("Reader", MANIFEST);
    const found = await find(agent_id);
    const undo = interceptFetch(async (url, init) => {
      if (init?.method !== "POST" || !url.endsWith("/h2a/relations")) return;
      undo();
      await client.hub.patchManifest(agent_id, token, NEXT_MANIFEST);
    });
    const add = client.call("agents.add", { ...asShown(found), granted_scopes: ALL_SCOPES });
    await expect(add).rejects.toThrow("manifest_changed");
    expect(await client.hub.relation(agent_id)).toBeUndefined();
  });

  it("says in a code what else cannot be added", async () => {
    const { agent_id } = await client.hub.registerAgent("Reader", MANIFEST);
    await expect(find(`https://example.com/${agent_id}`)).rejects.toThrow("link_unusable");
    await expect(find("5Jc0xqBv1mZk8TnW3rYd7u")).rejects.toThrow("agent_unknown");
    const found = await find(agent_id);
    const more = { ...asShown(found), granted_scopes: ["shell:exec"] };
    await expect(client.call("agents.add", more)).rejects.toThrow("not_offered");
    const undo = loseRequests();
    await expect(find(agent_id)).rejects.toThrow("hub_unreachable");
    undo();
    const { fetch } = globalThis;
    interceptFetch(async (url, init) => {
      const answer = await fetch(url, init);
      const { data } = (await answer.json()) as { data: { capability_manifest: object } };
      const manifest = { ...data.capability_manifest, agent_version: "2.0.0" };
      return Response.json({ data: { ...data, capability_manifest: manifest } });
    });
    await expect(find(agent_id)).rejects.toThrow("manifest_unusable");
  });
});
