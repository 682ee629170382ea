import { describe, expect, it } from "vitest";
import { agent, client, connectForEachTest } from "../testing/each-test.ts";
import { eventually } from "../testing/eventually.ts";
import { whileClientIsDown } from "../testing/hub-outside.ts";
import {
  ALL_SCOPES,
  LOWERED_MANIFEST,
  MANIFEST,
  NEXT_MANIFEST,
  RAISED_MANIFEST,
  SMALLER_MANIFEST,
} from "../testing/test-manifest.ts";

connectForEachTest({ withAnother: true });

const patch = (manifest: typeof MANIFEST, hub = client.hub) =>
  hub.patchManifest(agent.id, agent.credentials.token, manifest);
const patchWhileDown = (manifest: typeof MANIFEST) =>
  whileClientIsDown(client.dataDir, ({ hub }) => patch(manifest, hub));
const versionSeen = (version: string) =>
  eventually(async () => {
    const card = await client.card(agent);
    return card.agent_version === version ? card : undefined;
  });

const noticesKept = () =>
  client.inDatabase(
    (db) => db.prepare<[], number>("SELECT count(*) FROM notices").pluck().get(),
    "hub.db",
  );

async function startQuietPeriod(): Promise<void> {
  await client.answered(agent.write("first"), "allow_in_conversation");
  expect((await client.card(agent)).quiet_periods).toHaveLength(1);
}

describe("a change that is not breaking", () => {
  it("ends quiet periods, is marked until reviewed, and leaves the grants", async () => {
    await startQuietPeriod();
    expect(await patch(NEXT_MANIFEST)).toEqual([]);
    expect(await versionSeen("1.0.1")).toMatchObject({
      changed_since_review: true,
      manifest_version: 2,
      quiet_periods: [],
    });
    expect(Object.values(await client.grants(agent))).toEqual(ALL_SCOPES.map(() => "granted"));
    const outcome = await client.answered(agent.write("second"), "allow_once");
    expect(outcome).toEqual({ result: { length: 6 } });
    await client.call("agents.mark_reviewed", { agent_id: agent.id, manifest_version: 2 });
    expect(await client.card(agent)).toMatchObject({ changed_since_review: false });
  });

  it("counts for the very next call of the agent", async () => {
    await startQuietPeriod();
    await patch(NEXT_MANIFEST);
    expect(await client.answered(agent.write("next"), "deny")).toEqual({ refused: "user_refused" });
    expect(client.platform.writes).toEqual(["first"]);
  });

  it("also ends quiet periods when it happened while the client was not running", async () => {
    await startQuietPeriod();
    await client.restart(() => patchWhileDown(NEXT_MANIFEST));
    expect(await client.answered(agent.write("next"), "deny")).toEqual({ refused: "user_refused" });
    expect(await client.card(agent)).toMatchObject({
      changed_since_review: true,
      quiet_periods: [],
    });
  });

  it("has no effect when it is undone before it is read: the same hash is the same manifest", async () => {
    await patch(NEXT_MANIFEST);
    await versionSeen("1.0.1");
    await patch(MANIFEST);
    expect(await versionSeen("1.0.0")).toMatchObject({
      changed_since_review: false,
      manifest_version: 3,
    });
  });

  it("can remove scopes, and the others can still be revoked at the hub", async () => {
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
  it("is withdrawn when the manifest changes", async () => {
    const called = agent.write();
    await client.waitingCard();
    await patch(NEXT_MANIFEST);
    expect(await called).toEqual({ refused: "manifest_changed" });
    await client.cards(0);
    expect(client.platform.sideEffects).toBe(0);
  });
});

describe("a permission that is lowered", () => {
  it("counts as not granted, with no quiet period, until the person decides", async () => {
    await startQuietPeriod();
    expect(await patch(LOWERED_MANIFEST)).toEqual(["clipboard:write"]);
    expect(await agent.write("lowered")).toEqual({ refused: "scope_not_granted" });
    expect(await versionSeen("3.0.0")).toMatchObject({ quiet_periods: [] });
    const grants = (await client.card(agent)).grants.filter(({ declared }) => declared !== null);
    // The preset keeps the level, but the agent's lower declaration needs consent all the same.
    expect(grants).toMatchObject([
      {
        scope: { id: "clipboard:write", sensitivity: "medium" },
        state: "awaiting_reconsent",
        declared: { before: "medium", after: "low" },
      },
    ]);
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
    expect(await client.answered(agent.write(), "allow_once")).toEqual({ result: { length: 4 } });

    await client.setScopes(agent, ALL_SCOPES);
    expect(await client.card(agent)).toMatchObject({ changed_since_review: false });
    const asked = agent.notify();
    // The scope is medium now: it asks.
    await client.answer("allow_once");
    expect(await asked).toEqual({ result: { shown: true, folded: false } });
  });

  it("is also settled when the person answers no", async () => {
    await raised();
    await versionSeen("2.0.0");
    const kept = ALL_SCOPES.filter((scope) => scope !== "notification:send");
    await client.setScopes(agent, kept);
    expect(await agent.notify()).toEqual({ refused: "permission_revoked" });
    expect((await client.hub.relation(agent.id))?.granted_scopes).toEqual(kept);
  });

  it("applies when it happened while the client was not running, and after another restart", async () => {
    await client.restart(() => patchWhileDown(RAISED_MANIFEST));
    expect(await agent.notify()).toEqual({ refused: "scope_not_granted" });
    await versionSeen("2.0.0");
    await client.restart();
    expect(await agent.notify()).toEqual({ refused: "scope_not_granted" });
    expect(client.platform.shown).toEqual([]);
  });

  it("is forgotten by the hub only once the client has stored it", async () => {
    await client.restart(async () => {
      await patchWhileDown(RAISED_MANIFEST);
      client.sql(`CREATE TRIGGER no_room BEFORE INSERT ON grants
                  BEGIN SELECT RAISE(ABORT, 'no room'); END`);
    });
    // What cannot be stored still applies while the program runs.
    expect(await agent.notify()).toEqual({ refused: "scope_not_granted" });
    await versionSeen("2.0.0");
    await client.close();
    expect(noticesKept()).toBe(1);
    client.sql("DROP TRIGGER no_room");
    await client.launch();
    expect(await agent.notify()).toEqual({ refused: "scope_not_granted" });
    await eventually(async () => noticesKept() === 0 || undefined);
    await client.restart();
    expect(await agent.notify()).toEqual({ refused: "scope_not_granted" });
    expect(client.platform.shown).toEqual([]);
  });

  it("needs the person's answer only once, even if the connection is lost after it", async () => {
    await raised();
    await versionSeen("2.0.0");
    await client.setScopes(agent, ALL_SCOPES);
    await eventually(async () => noticesKept() === 0 || undefined);
    await client.restart();
    expect(await client.grants(agent)).toMatchObject({ "notification:send": "granted" });
  });

  it("cannot be answered with a scope the agent does not ask for", async () => {
    await raised();
    await versionSeen("2.0.0");
    await expect(client.setScopes(agent, ["shell:exec"])).rejects.toThrow("not_offered");
  });
});

describe("an answer to a card", () => {
  it("that shows an older manifest is refused, and grants and reviews nothing", async () => {
    await patch(RAISED_MANIFEST);
    await versionSeen("2.0.0");
    const old = { agent_id: agent.id, manifest_version: 1 };
    const refused = [
      client.call("agents.set_scopes", { ...old, granted_scopes: ALL_SCOPES }),
      client.call("agents.mark_reviewed", old),
    ];
    for (const each of refused) await expect(each).rejects.toThrow("manifest_changed");
    expect(await client.card(agent)).toMatchObject({ changed_since_review: true });
    expect(await agent.notify()).toEqual({ refused: "scope_not_granted" });
  });

  it("follows the version when the same manifest is uploaded", async () => {
    await patch(MANIFEST);
    await eventually(async () => {
      const { manifest_version } = await client.card(agent);
      return manifest_version === 2 || undefined;
    });
    await client.setScopes(agent, ["notification:send"]);
    expect(await agent.notify()).toEqual({ result: { shown: true, folded: false } });
  });
});

it("a breaking change that was taken back is still named where the person is asked", async () => {
  await patch(RAISED_MANIFEST);
  await versionSeen("2.0.0");
  await patch(MANIFEST);
  const { changed_since_review, grants } = await versionSeen("1.0.0");
  expect(changed_since_review).toBe(false);
  const waiting = grants.filter(({ state }) => state === "awaiting_reconsent");
  expect(waiting.map(({ scope, reasons }) => [scope.id, reasons])).toEqual([
    [
      "notification:send",
      [
        { kind: "tool_sensitivity_raised", tool: null },
        { kind: "scope_sensitivity_lowered", tool: null },
      ],
    ],
  ]);
  await client.setScopes(agent, ALL_SCOPES);
  expect((await client.card(agent)).grants.flatMap(({ reasons }) => reasons)).toEqual([]);
});
