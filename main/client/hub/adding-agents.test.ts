import { describe, expect, it } from "vitest";
import { client, launchForEachTest } from "../testing/each-test.ts";
import { ALL_SCOPES, MANIFEST } from "../testing/test-manifest.ts";

launchForEachTest({ withAnother: true });

describe("adding an agent", () => {
  it("shows what it asks for, at the level it will be treated at", async () => {
    const pairing = client.pair("Reader");
    const code = await pairing.code;
    const shown = await client.shownPairing(code);
    expect(shown).toMatchObject({ name: "Reader", problems: [], warnings: [] });
    expect(shown.scopes.map(({ id, sensitivity }) => [id, sensitivity])).toEqual([
      ["notification:send", "low"],
      ["filesystem:read", "medium"],
      ["clipboard:write", "medium"],
      ["clipboard:read", "high"],
    ]);
    await client.acceptPairing(code, []);
    await pairing.agent;
  });

  it("grants exactly the scopes the person chose, here and at the hub", async () => {
    const agent = await client.addAgent(["notification:send"]);
    expect(agent.credentials.grantedScopes).toEqual(["notification:send"]);
    expect(await client.grants(agent)).toEqual({
      "notification:send": "granted",
      "filesystem:read": "never_granted",
      "clipboard:write": "never_granted",
      "clipboard:read": "never_granted",
    });
    expect((await client.hub.relation(agent.id))?.granted_scopes).toEqual(["notification:send"]);
    expect(await agent.notify()).toEqual({ result: { shown: true, folded: false } });
    expect(await agent.write()).toEqual({ refused: "scope_not_granted" });
    expect((await client.snapshot()).pairings).toEqual([]);
  });

  it("does not add an agent that the person declined", async () => {
    const pairing = client.pair("Unwanted");
    const { pairing_id } = await client.shownPairing(await pairing.code);
    await client.call("pairing.answer", { pairing_id, accept: false, granted_scopes: [] });
    await expect(pairing.agent).rejects.toMatchObject({ code: "refused" });
    expect((await client.snapshot()).agents).toEqual([]);
  });

  it("accepts no scope that the agent did not declare, and no answer to a pairing that is gone", async () => {
    const pairing = client.pair("Reader");
    const code = await pairing.code;
    const { pairing_id } = await client.shownPairing(code);
    const accept = (scopes: string[]) =>
      client.call("pairing.answer", { pairing_id, accept: true, granted_scopes: scopes });
    await expect(accept(["shell:exec"])).rejects.toThrow("not_offered");
    await client.acceptPairing(code, ALL_SCOPES);
    await pairing.agent;
    await expect(accept(ALL_SCOPES)).rejects.toThrow("not_found");
  });

  it("does not refuse a call that overtakes the storing of the answer", async () => {
    const pairing = client.pair("Eager");
    const called = pairing.agent.then((agent) => agent.notify());
    const { pairing_id } = await client.shownPairing(await pairing.code);
    const answered = client.call("pairing.answer", {
      pairing_id,
      accept: true,
      granted_scopes: ALL_SCOPES,
    });
    expect(await called).toEqual({ result: { shown: true, folded: false } });
    await answered;
  });

  it("refuses a manifest that declares what it must not, before the person is asked", async () => {
    const scopes = MANIFEST.permission_scopes.map((scope) => ({ ...scope, id: "system:all" }));
    const pairing = client.pair("Greedy", { ...MANIFEST, permission_scopes: scopes });
    await expect(pairing.agent).rejects.toMatchObject({ code: "manifest_invalid" });
    expect((await client.snapshot()).pairings).toEqual([]);
  });
});
