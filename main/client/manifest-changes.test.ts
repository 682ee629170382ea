import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "./testing/eventually.ts";
import { whileClientIsDown } from "./testing/hub-outside.ts";
import { LaunchedClient } from "./testing/launched-client.ts";
import type { TestAgent } from "./testing/test-agent.ts";
import {
  ALL_SCOPES,
  MANIFEST,
  NEXT_MANIFEST,
  RAISED_MANIFEST,
  SMALLER_MANIFEST,
} from "./testing/test-manifest.ts";

let client: LaunchedClient;
let agent: TestAgent;
beforeEach(async () => {
  client = await LaunchedClient.start();
  agent = await client.addAgent();
});
afterEach(() => client.end());

const patch = (manifest: typeof MANIFEST) =>
  client.hub.patchManifest(agent.id, agent.credentials.token, manifest);
const versionSeen = (version: string) =>
  eventually(async () => {
    const card = await client.card(agent);
    return card.agent_version === version ? card : undefined;
  });

async function openWindow(): Promise<void> {
  const first = agent.write("first");
  await client.answer("allow_in_conversation");
  await first;
  expect((await client.card(agent)).windows).toHaveLength(1);
}

describe("a change that is not breaking", () => {
  it("ends the silence, is marked until reviewed, and leaves what was granted", async () => {
    await openWindow();
    expect(await patch(NEXT_MANIFEST)).toEqual([]);
    expect(await versionSeen("1.0.1")).toMatchObject({
      changed_since_review: true,
      manifest_version: 2,
      windows: [],
    });
    expect(Object.values(await client.grants(agent))).toEqual(ALL_SCOPES.map(() => "granted"));
    const second = agent.write("second");
    await client.answer("allow_once");
    expect(await second).toEqual({ result: { length: 6 } });
    await client.call("agents.mark_reviewed", { agent_id: agent.id });
    expect(await client.card(agent)).toMatchObject({ changed_since_review: false });
  });

  it("counts for the very next call of the agent", async () => {
    await openWindow();
    await patch(NEXT_MANIFEST);
    const next = agent.write("next");
    await client.answer("deny");
    expect(await next).toEqual({ refused: "user_refused" });
    expect(client.platform.writes).toEqual(["first"]);
  });

  it("ends the silence as well when it happened while the client was down", async () => {
    await openWindow();
    await client.restart(() =>
      whileClientIsDown(client.dataDir, (hub) =>
        hub.patchManifest(agent.id, agent.credentials.token, NEXT_MANIFEST),
      ),
    );
    const next = agent.write("next");
    await client.answer("deny");
    expect(await next).toEqual({ refused: "user_refused" });
    expect(await client.card(agent)).toMatchObject({ changed_since_review: true, windows: [] });
  });

  it("leaves one that is put back and unread as it was: the same hash is the same manifest", async () => {
    await patch(NEXT_MANIFEST);
    await versionSeen("1.0.1");
    await patch(MANIFEST);
    expect(await versionSeen("1.0.0")).toMatchObject({
      changed_since_review: false,
      manifest_version: 3,
    });
  });

  it("can take scopes away, and what is left can still be taken back at the hub", async () => {
    expect(await patch(SMALLER_MANIFEST)).toEqual([]);
    await versionSeen("1.1.0");
    expect(await agent.write()).toEqual({ refused: "tool_not_declared" });
    await client.call("permissions.revoke_scope", {
      agent_id: agent.id,
      scope: "filesystem:read",
    });
    await eventually(async () => {
      const granted = (await client.hub.relation(agent.id))?.granted_scopes;
      return granted?.join() === "notification:send" ? granted : undefined;
    });
  });
});

describe("a waiting prompt", () => {
  it("is taken back when the manifest changes under it", async () => {
    const called = agent.write();
    await client.waitingCard();
    await patch(NEXT_MANIFEST);
    expect(await called).toEqual({ refused: "manifest_changed" });
    await client.cards(0);
    expect(client.platform.sideEffects).toBe(0);
  });
});

describe("a breaking change", () => {
  const raised = async () => {
    expect(await patch(RAISED_MANIFEST)).toEqual(["notification:send"]);
  };

  it("leaves the named scopes ungranted until the person answers, and only those", async () => {
    await raised();
    expect(await agent.notify()).toEqual({ refused: "scope_not_granted" });
    await versionSeen("2.0.0");
    expect(await client.grants(agent)).toMatchObject({
      "notification:send": "awaiting_reconsent",
      "clipboard:write": "granted",
    });
    const other = agent.write();
    await client.answer("allow_once");
    expect(await other).toEqual({ result: { length: 4 } });

    await client.call("agents.set_scopes", { agent_id: agent.id, granted_scopes: ALL_SCOPES });
    expect(await client.card(agent)).toMatchObject({ changed_since_review: false });
    const asked = agent.notify();
    // The scope is medium now: it asks.
    await client.answer("allow_once");
    expect(await asked).toEqual({ result: { shown: true } });
  });

  it("is as much of one when the person answers it with no", async () => {
    await raised();
    await versionSeen("2.0.0");
    const kept = ALL_SCOPES.filter((scope) => scope !== "notification:send");
    await client.call("agents.set_scopes", { agent_id: agent.id, granted_scopes: kept });
    expect(await agent.notify()).toEqual({ refused: "permission_revoked" });
    expect((await client.hub.relation(agent.id))?.granted_scopes).toEqual(kept);
  });

  it("holds when it happened while the client was down, and over another restart", async () => {
    await client.restart(() =>
      whileClientIsDown(client.dataDir, (hub) =>
        hub.patchManifest(agent.id, agent.credentials.token, RAISED_MANIFEST),
      ),
    );
    expect(await agent.notify()).toEqual({ refused: "scope_not_granted" });
    await versionSeen("2.0.0");
    await client.restart();
    expect(await agent.notify()).toEqual({ refused: "scope_not_granted" });
    expect(client.platform.shown).toEqual([]);
  });

  it("cannot be answered with a scope the agent does not ask for", async () => {
    await raised();
    const set = client.call("agents.set_scopes", {
      agent_id: agent.id,
      granted_scopes: ["shell:exec"],
    });
    await expect(set).rejects.toThrow("not_offered");
  });
});
