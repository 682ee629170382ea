import { describe, expect, it, vi } from "vitest";
import { agent, client, connectForEachTest } from "../testing/each-test.ts";
import { eventually, LONG_WAIT } from "../testing/eventually.ts";
import { whileClientIsDown } from "../testing/hub-outside.ts";
import { loseRequests } from "../testing/intercept-fetch.ts";
import type { TestAgent } from "../testing/test-agent.ts";
import { ALL_SCOPES, MANIFEST } from "../testing/test-manifest.ts";

connectForEachTest({ withAnother: true });

/** The agent's next event of this type. */
function heard(of: TestAgent, type: string): Promise<object> {
  const said = Promise.withResolvers<object>();
  of.sdk.addEventHandler((event) => {
    if (event.type === type) said.resolve(event.payload);
  });
  return said.promise;
}

const finished = () =>
  eventually(async () => {
    const lines = await client.log();
    return lines.every(({ status }) => status !== "running") ? lines : undefined;
  });

describe("a suspended relation", () => {
  it("ends waiting and running calls, serves nothing, and keeps the grants", async () => {
    client.platform.hold = new Promise(() => {});
    const running = agent.notify();
    const waiting = agent.write();
    for (const call of [running, waiting]) call.catch(() => {});
    await client.waitingCard();
    await vi.waitUntil(() => client.platform.shown.length === 1, LONG_WAIT);
    await client.hub.suspendRelation(agent.id);
    await client.cards(0);
    await vi.waitUntil(() => client.platform.stopped.length === 1, LONG_WAIT);
    const lines = await finished();
    expect(lines.map(({ reason }) => reason)).toEqual(["permission_revoked", "permission_revoked"]);
    expect(await agent.notify()).toEqual({ refused: "NOT_A_MEMBER" });
    expect(new Set(Object.values(await client.grants(agent)))).toEqual(new Set(["granted"]));
    expect(client.platform.shown).toHaveLength(1);
  });

  it("is served again once it is restored, as it was before", async () => {
    await client.hub.suspendRelation(agent.id);
    const restored = heard(agent, "relation.restored");
    await client.hub.restoreRelation(agent.id);
    await restored;
    expect(await agent.notify()).toEqual({ result: { shown: true, folded: false } });
  });

  it("is not served after a restart, not even calls that were sent before", async () => {
    const lost = agent.write();
    lost.catch(() => {});
    await client.waitingCard();
    await client.close();
    await whileClientIsDown(client.dataDir, ({ hub }) => hub.suspendRelation(agent.id));
    await client.launch();
    const [line] = await eventually(async () => {
      const lines = await finished();
      return lines.length === 1 ? lines : undefined;
    });
    expect(line).toMatchObject({ status: "denied", reason: "permission_revoked" });
    expect(client.platform.sideEffects).toBe(0);
    expect((await client.snapshot()).consents).toEqual([]);
  });
});

describe("an answer to a breaking manifest", () => {
  const stricter = () => ({
    ...MANIFEST,
    permission_scopes: MANIFEST.permission_scopes.map((scope) =>
      scope.id === "clipboard:write" ? { ...scope, sensitivity: "high" as const } : scope,
    ),
  });
  const asked = () =>
    eventually(async () => {
      const { manifest_version } = await client.card(agent);
      const { "clipboard:write": state } = await client.grants(agent);
      return (manifest_version === 2 && state === "awaiting_reconsent") || undefined;
    });

  it("reaches the agent, whichever it is", async () => {
    await client.hub.patchManifest(agent.id, agent.credentials.token, stricter());
    await asked();
    const refused = heard(agent, "agent.capability_changed");
    await client.setScopes(agent, ["notification:send"]);
    expect(await refused).toMatchObject({
      accepted: false,
      capability_manifest_version: 2,
      granted_scopes: ["notification:send"],
    });
  });

  it("reaches the agent even if the hub could not be reached at once", async () => {
    await client.hub.patchManifest(agent.id, agent.credentials.token, stricter());
    await asked();
    const undo = loseRequests("PATCH");
    await client.setScopes(agent, ALL_SCOPES);
    await eventually(async () => client.stderr.length > 0 || undefined);
    undo();
    const accepted = heard(agent, "agent.capability_changed");
    await client.restart();
    expect(await accepted).toMatchObject({ accepted: true, capability_manifest_version: 2 });
  });
});
