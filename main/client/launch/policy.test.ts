import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { invitationOf } from "../../../hub/testing/invited-person.ts";
import { LivedInHub } from "../../../sdk/testing/lived-in-hub.ts";
import { LaunchedClient } from "../testing/launched-client.ts";

let client: LaunchedClient;
beforeEach(async () => {
  client = await LaunchedClient.start();
});

/** The program starts again under this policy. */
async function manage(policy: object | string): Promise<void> {
  await client.restart(() => {
    client.policyFile = join(client.dataDir, "policy.json");
    const text = typeof policy === "string" ? policy : JSON.stringify({ version: 1, ...policy });
    writeFileSync(client.policyFile, text);
  });
}

/** As the log says it. */
const BY_POLICY = { status: "denied", reason: "scope_not_granted", decided_by: "policy" };

describe("a policy", () => {
  it("takes a permission away that was given, and none can be given again", async () => {
    const agent = await client.addAgent();
    await manage({ denied_scopes: ["notification:send"] });
    await client.reconnected();
    expect(await agent.call("send_notification", { title: "hello" })).toEqual({
      refused: "scope_not_granted",
    });
    expect((await client.log())[0]).toMatchObject(BY_POLICY);
    const card = await client.card(agent);
    const grant = card.grants.find(({ scope }) => scope.id === "notification:send");
    expect(grant).toMatchObject({ state: "never_granted", scope: { managed: "denied" } });
    await expect(client.setScopes(agent, ["notification:send"])).rejects.toThrow("managed");
    await client.setScopes(agent, ["clipboard:write"]);
    expect(await agent.call("read_clipboard", {})).toEqual({ refused: "permission_revoked" });
    expect((await client.log())[0]).toMatchObject({ decided_by: "contract" });
    expect((await client.snapshot()).policy).toMatchObject({
      state: "applied",
      denied_scopes: ["notification:send"],
    });
  });

  it("that names permissions which Consentry does not have applies, and the start and the pages are told which", async () => {
    await manage({
      denied_scopes: ["shell:exex", "shell:exec"],
      sensitivities: { "notes:read": "high", "shell:exex": "high" },
    });
    const unknown_scopes = ["shell:exex", "notes:read"];
    expect((await client.snapshot()).policy).toMatchObject({ state: "applied", unknown_scopes });
    expect(client.stderr.join("\n")).toContain(unknown_scopes.join(", "));
  });

  it("makes calls ask that ran without asking", async () => {
    const agent = await client.addAgent();
    await manage({ sensitivities: { "notification:send": "high" } });
    await client.reconnected();
    const called = agent.call("send_notification", { title: "hello" });
    expect(await client.waitingCard()).toMatchObject({ sensitivity: "high" });
    expect(await client.answered(called, "deny")).toEqual({ refused: "user_refused" });
  });

  it("is what a rule is tested and judged by", async () => {
    const { agent_id } = await client.card(await client.addAgent());
    const rule = {
      agent_id,
      covers: "send_notification",
      subject: { kind: "anything" },
      effect: "allow",
      time: "today",
    } as const;
    const tested = () =>
      client.call("rules.test", { agent_id, tool_name: "send_notification", about: "" });
    expect(await tested()).toMatchObject({ outcome: "allow", why: "low" });
    await manage({ sensitivities: { "notification:send": "high" } });
    expect(await tested()).toMatchObject({ outcome: "ask" });
    await expect(client.call("rules.add", rule)).rejects.toThrow("rule_too_wide");
  });

  it("lets only agents with an allowed key ask and be added", async () => {
    const agent = await client.addAgent();
    const { key_mark: key, agent_id } = await client.card(agent);
    const fingerprint = key.kind === "known" ? key.fingerprint : "";
    await manage({ allowed_agents: [fingerprint] });
    await client.reconnected();
    expect(await agent.call("send_notification", { title: "hello" })).toHaveProperty("result");
    expect(await client.card(agent)).not.toHaveProperty("not_allowed");
    await manage({ allowed_agents: ["0000 0000 0000 0000 0000"] });
    await client.reconnected();
    expect(await agent.call("send_notification", { title: "hello" })).toEqual({
      refused: "scope_not_granted",
    });
    expect((await client.log())[0]).toMatchObject(BY_POLICY);
    const card = await client.card(agent);
    expect(card.not_allowed).toBe(true);
    expect(new Set(card.grants.map(({ state }) => state))).toEqual(new Set(["never_granted"]));
    const tested = { agent_id, tool_name: "send_notification", about: "" };
    const refused = { outcome: "deny", why: "policy" };
    expect(await client.call("rules.test", tested)).toMatchObject(refused);
    const pairing = client.pair("Another");
    pairing.agent.catch(() => {});
    expect(await client.shownPairing(await pairing.code)).toMatchObject({ not_allowed: true });
    await expect(client.acceptPairing(await pairing.code, [])).rejects.toThrow("managed");
  });

  it.each([
    ["{", "not_json", { line: 1, column: 2, pointer: "" }],
    [
      '{"version": 1,\n "denied_scope": []}',
      "unknown_member",
      { line: 2, column: 2, pointer: "/denied_scope" },
    ],
    [
      '{"version": 1,\n "retention_days": 7}',
      "wrong_value",
      { line: 2, column: 20, pointer: "/retention_days" },
    ],
    [
      '{"version": 1,\n "hub_address": "http://127.0.0.1:65536"}',
      "wrong_value",
      { line: 2, column: 17, pointer: "/hub_address" },
    ],
    ['\n{"updates": "off"}', "missing_member", { line: 2, column: 1, pointer: "/version" }],
    ['\uFEFF{"version": 2}', "wrong_value", { line: 1, column: 13, pointer: "/version" }],
  ])("that is broken (%j) stops everything, and says where", async (text, code, place) => {
    const agent = await client.addAgent();
    await manage(text);
    const { policy, hub } = await client.snapshot();
    expect(policy).toEqual({
      state: "broken",
      fault: { file: client.policyFile, code, place },
    });
    expect(hub.connected).toBe(false);
    const { agent_id } = await client.card(agent);
    await expect(client.call("agents.suspend", { agent_id, suspended: true })).rejects.toThrow(
      "managed",
    );
    await expect(client.call("sample_agent.start", {})).rejects.toThrow("managed");
    expect(client.stderr.at(-1)).toBeDefined();
    expect(client.stderr.join("\n")).toContain(`(${code})`);
  });

  it("that says where the hub is wins over a move, over --hub, and over another port", async () => {
    const elsewhere = await new LivedInHub().start();
    onTestFinished(() => elsewhere.end());
    const own = client.hubUrl;
    const link = `${elsewhere.url}/#${await invitationOf(elsewhere, "Ada")}`;
    await client.call("hub.move", { link });
    await client.reconnected();
    client.hubIsAt(own);
    await manage({ hub_address: own });
    const hub = async () => (await client.snapshot()).hub;
    await expect.poll(hub).toMatchObject({ own: true, url: own, connected: true });
    await expect(client.call("hub.move", { link })).rejects.toThrow("managed");
    client.hubElsewhere = { url: elsewhere.url, invitation: undefined };
    await expect(client.restart()).rejects.toThrow("--hub: the policy of this computer sets");
    // Without the policy they are where they were.
    client.hubElsewhere = undefined;
    client.policyFile = undefined;
    await client.launch();
    await expect.poll(hub).toMatchObject({ own: false, url: elsewhere.url, connected: true });
  });

  it("is missed where one was named", async () => {
    await client.restart(() => {
      client.policyFile = join(client.dataDir, "absent.json");
    });
    expect((await client.snapshot()).policy).toMatchObject({ fault: { code: "unreadable" } });
  });
});
