import { rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { agent, client, connectForEachTest } from "../testing/each-test.ts";
import { eventually, LONG_WAIT } from "../testing/eventually.ts";
import { interceptFetch, loseRequests } from "../testing/intercept-fetch.ts";
import type { TestAgent } from "../testing/test-agent.ts";
import { ALL_SCOPES } from "../testing/test-manifest.ts";

connectForEachTest({ withAnother: true });

const grantedAtHub = (of: TestAgent, scopes: readonly string[]) =>
  eventually(async () => {
    const relation = await client.hub.relation(of.id);
    return relation?.granted_scopes.join() === scopes.join() ? relation : undefined;
  });

const revoke = (scope: string) =>
  client.call("permissions.revoke_scope", { agent_id: agent.id, scope });

/** Calls a notification that is being shown until somebody stops it. */
function show(): { readonly called: Promise<unknown> } {
  client.platform.hold = new Promise(() => {});
  return { called: agent.notify() };
}

describe("revoking a scope", () => {
  it("withdraws waiting requests, refuses later calls, and tells the hub", async () => {
    const waiting = agent.write();
    const other = agent.call("read_clipboard");
    await client.cards(2);
    await revoke("clipboard:write");
    expect(await waiting).toEqual({ refused: "permission_revoked" });
    expect(await client.waitingCard()).toMatchObject({ tool_name: "read_clipboard" });
    expect(await agent.write()).toEqual({ refused: "permission_revoked" });
    await grantedAtHub(agent, ["notification:send", "filesystem:read", "clipboard:read"]);
    await client.answer("deny");
    expect(await other).toEqual({ refused: "user_refused" });
    expect(client.platform.sideEffects).toBe(0);
  });

  it("stops running calls that use it", async () => {
    const { called } = show();
    await vi.waitUntil(() => client.platform.shown.length === 1, LONG_WAIT);
    await revoke("notification:send");
    expect(await called).toEqual({ refused: "permission_revoked" });
    expect(client.platform.stopped).toHaveLength(1);
  });

  it("is refused for a scope that is neither declared nor granted, and changes nothing", async () => {
    await expect(revoke("shell:exec")).rejects.toThrow("not_found");
    const scopes = client.inDatabase((db) =>
      db.prepare<[], string>("SELECT scope FROM grants").pluck().all(),
    );
    expect(scopes.toSorted()).toEqual(ALL_SCOPES.toSorted());
  });

  it("ends its quiet periods for good, even when it is granted again", async () => {
    await client.answered(agent.write(), "allow_in_conversation");
    await revoke("clipboard:write");
    await client.setScopes(agent, ALL_SCOPES);
    expect(await client.answered(agent.write(), "deny")).toEqual({ refused: "user_refused" });
    await grantedAtHub(agent, ALL_SCOPES);
  });

  it("reaches the hub at the next connect if it could not be reached", async () => {
    const undo = loseRequests("PATCH");
    await revoke("clipboard:write");
    await vi.waitUntil(
      () => client.stderr.some((line) => line.includes("hub_unreachable")),
      LONG_WAIT,
    );
    expect(await agent.write()).toEqual({ refused: "permission_revoked" });
    await grantedAtHub(agent, ALL_SCOPES);
    undo();
    await client.restart();
    await grantedAtHub(agent, ["notification:send", "filesystem:read", "clipboard:read"]);
  });
});

describe("what the hub is told", () => {
  it("is the current state in the end, although the first request takes longest", async () => {
    const slow = Promise.withResolvers<void>();
    let patches = 0;
    interceptFetch(async (_, init) => {
      if (init?.method !== "PATCH") return;
      patches += 1;
      if (patches === 1) await slow.promise;
    });
    await revoke("clipboard:write");
    await vi.waitUntil(() => patches === 1, LONG_WAIT);
    await client.setScopes(agent, ["clipboard:read"]);
    slow.resolve();
    await vi.waitUntil(() => patches === 3, LONG_WAIT);
    await grantedAtHub(agent, ["clipboard:read"]);
  });
});

describe("revoking everything", () => {
  it("from one agent leaves the other's", async () => {
    const other = await client.addAgent(ALL_SCOPES, "Other");
    const waiting = agent.write();
    await client.waitingCard();
    await client.call("permissions.revoke_agent", { agent_id: agent.id });
    expect(await waiting).toEqual({ refused: "permission_revoked" });
    expect(await agent.notify()).toEqual({ refused: "permission_revoked" });
    expect(await other.notify()).toEqual({ result: { shown: true, folded: false } });
    await grantedAtHub(agent, []);
    await grantedAtHub(other, ALL_SCOPES);
  });

  it("from all agents stops and withdraws everything", async () => {
    const other = await client.addAgent(ALL_SCOPES, "Other");
    const { called } = show();
    const waiting = other.write();
    await client.waitingCard();
    await vi.waitUntil(() => client.platform.shown.length === 1, LONG_WAIT);
    await client.call("permissions.revoke_all", {});
    expect(await called).toEqual({ refused: "permission_revoked" });
    expect(await waiting).toEqual({ refused: "permission_revoked" });
    await grantedAtHub(agent, []);
    await grantedAtHub(other, []);
    await client.restart();
    expect(await other.notify()).toEqual({ refused: "permission_revoked" });
  });

  it("answers not_found for an agent it does not know", async () => {
    const unknown = { agent_id: "nobody" };
    await expect(client.call("permissions.revoke_agent", unknown)).rejects.toThrow("not_found");
  });
});

describe("a relation that is ended at the hub", () => {
  it("ends everything here: grants, waiting requests and running calls", async () => {
    const { called } = show();
    void agent.write();
    await client.waitingCard();
    await vi.waitUntil(() => client.platform.shown.length === 1, LONG_WAIT);
    await client.hub.revokeRelation(agent.id);
    await client.cards(0);
    await vi.waitUntil(() => client.platform.stopped.length === 1, LONG_WAIT);
    expect(new Set(Object.values(await client.grants(agent)))).toEqual(new Set(["revoked"]));
    void called;
    const lines = await eventually(async () => {
      const log = await client.log();
      return log.every(({ status }) => status !== "running") ? log : undefined;
    });
    expect(lines.map(({ reason }) => reason)).toEqual(["permission_revoked", "permission_revoked"]);
  });

  it("stays ended after a restart", async () => {
    await client.hub.revokeRelation(agent.id);
    await client.restart();
    await eventually(
      async () => (await client.grants(agent))["notification:send"] === "revoked" || undefined,
    );
  });
});

describe("a local store that was lost", () => {
  it("brings the agents back as the hub knows them, with nothing granted", async () => {
    await client.restart(() => rmSync(join(client.dataDir, "consentry.db")));
    await eventually(async () => (await client.snapshot()).agents[0]);
    expect(new Set(Object.values(await client.grants(agent)))).toEqual(
      new Set(["awaiting_reconsent"]),
    );
    expect(await agent.notify()).toEqual({ refused: "scope_not_granted" });
    await client.setScopes(agent, ["notification:send"]);
    expect(await agent.notify()).toEqual({ result: { shown: true, folded: false } });
    expect(await agent.write()).toEqual({ refused: "permission_revoked" });
  });

  it("in which one agent's manifest cannot be read still brings the others back", async () => {
    const other = await client.addAgent(ALL_SCOPES, "Other");
    await client.close();
    rmSync(join(client.dataDir, "consentry.db"));
    const hidden = `/agents/${agent.id}`;
    interceptFetch((url) => (url.endsWith(hidden) ? Response.json({ error: {} }) : null));
    await client.launch();
    const cards = await eventually(async () => {
      const { agents } = await client.snapshot();
      return agents.length > 0 ? agents : undefined;
    });
    expect(cards.map(({ agent_id }) => agent_id)).toEqual([other.id]);
    expect(await agent.notify()).toEqual({ refused: "tool_not_declared" });
  });
});
