import { beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { filesContaining } from "../testing/files-containing.ts";
import { LaunchedClient } from "../testing/launched-client.ts";
import { PublishedKeys } from "../testing/published-keys.ts";
import type { TestAgent } from "../testing/test-agent.ts";

/** The hub, the client and an agent in one process that may be slow. */
const PATIENCE_MS = 90_000;

describe("an encrypted conversation", { timeout: PATIENCE_MS }, () => {
  let client: LaunchedClient;
  let agent: TestAgent;

  beforeEach(async () => {
    client = await LaunchedClient.start();
    agent = await client.addAgent();
  }, PATIENCE_MS);

  const key = async () => (await client.snapshot()).keys.agents[0];
  const notices = async () => (await client.snapshot()).notices.map(({ code }) => code);

  it("shows the same number as the agent, and remembers that it was compared", async () => {
    const { userId } = agent.credentials;
    const safety = await eventually(() => agent.sdk.safetyNumber(userId).catch(() => undefined));
    expect(await key()).toMatchObject({ level: "ratchet", verified: false, safety, changed: null });
    const verify = { agent_id: agent.id, digits: safety.digits, verified: true };
    await client.call("keys.verify", verify);
    await client.restart();
    expect(await eventually(key)).toMatchObject({ verified: true, safety });
  });

  it("asks about a waiting call again after a restart, and leaves nothing of it readable", async () => {
    const secret = "nobody-else-may-read-this";
    const waiting = agent.write(secret, "patient");
    await client.waitingCard();
    expect(filesContaining(client.dataDir, secret)).toEqual([]);
    await client.restart();
    expect(await client.waitingCard()).toMatchObject({ call_id: "patient" });
    await client.answer("allow_once");
    expect(await waiting).toEqual({ result: { length: secret.length } });
    const lines = (await client.log()).filter(({ call_id }) => call_id === "patient");
    expect(lines).toHaveLength(1);
    expect(await agent.notify()).toEqual({ result: { shown: true, folded: false } });
    expect(filesContaining(client.dataDir, secret)).toEqual([]);
  });

  it("runs nothing under a changed key until the person has accepted it", async () => {
    await agent.notify();
    agent.sdk.disconnect();
    client.keyStores.get(agent.id)?.stored.clear();
    const anew = await client.returning(agent);
    const shown = await eventually(async () => (await key())?.changed ?? undefined);
    expect(await notices()).toContain("key_changed");
    const held = anew.notify("Under another key", "held");
    await eventually(async () => (await client.card(agent)).online || undefined);
    expect((await client.log()).filter(({ call_id }) => call_id === "held")).toEqual([]);

    await client.restart();
    const still = await eventually(async () => (await key())?.changed ?? undefined);
    expect(still).toEqual(shown);
    const old = { agent_id: agent.id, digits: (await key())?.safety.digits ?? "" };
    await expect(client.call("keys.accept", old)).rejects.toThrow("key_changed");
    await client.call("keys.accept", { agent_id: agent.id, digits: shown.digits });
    expect(await held).toEqual({ result: { shown: true, folded: false } });
    expect(await key()).toMatchObject({ verified: false, changed: null, safety: shown });
    expect(await notices()).not.toContain("key_changed");
  });

  it("shows the agent's fingerprint, the same as at pairing, and none while the key is in doubt", async () => {
    const mark = async () => (await client.card(agent)).key_mark;
    const fingerprintIn = (keyId: string) => (keyId.match(/.{4}/g) ?? []).slice(0, 5).join(" ");
    const pairing = client.pair("Another");
    const { pairing_id } = await client.shownPairing(await pairing.code);
    const { pairings } = (await client.snapshot()).keys;
    const offered = pairings.find((each) => each.pairing_id === pairing_id)?.fingerprint;
    await client.acceptPairing(await pairing.code, []);
    const another = await client.card(await pairing.agent);
    expect(another.key_mark).toEqual({ kind: "known", fingerprint: offered });

    const published = new PublishedKeys(agent, client.hubUrl);
    const keyId = async () => Buffer.from((await published.now()).keyId, "base64").toString("hex");
    const before = await mark();
    expect(before).toEqual({ kind: "known", fingerprint: fingerprintIn(await keyId()) });
    const waiting = agent.write();
    expect(await client.waitingCard()).toMatchObject({ key_mark: before });
    await client.answer("deny");
    await waiting;
    agent.sdk.disconnect();
    client.keyStores.get(agent.id)?.stored.clear();
    await client.returning(agent);
    const of = async () => (await client.snapshot()).keys.agents;
    const changed = await eventually(
      async () => (await of()).find(({ agent_id }) => agent_id === agent.id)?.changed ?? undefined,
    );
    expect(await mark()).toEqual({ kind: "in_doubt" });
    await client.call("keys.accept", { agent_id: agent.id, digits: changed.digits });
    expect(await mark()).toEqual({ kind: "known", fingerprint: fingerprintIn(await keyId()) });
    expect(await mark()).not.toEqual(before);
  });

  it("runs nothing while the hub's ledger is not the one that was signed, and says so", async () => {
    await agent.notify();
    await eventually(async () => (await key())?.ledger === "in_step" || undefined);
    await client.restart(() => {
      const { changes } = client.inDatabase(
        (db) => db.prepare("DELETE FROM ledger_entries").run(),
        "hub.db",
      );
      expect(changes).toBe(1);
    });
    expect(await agent.notify("Hidden")).toEqual({ refused: "scope_not_granted" });
    expect(await key()).toMatchObject({ ledger: "rolled_back" });
    expect(await notices()).toContain("ledger_disagrees");
  });

  it("delivers a call's answer to the agent after a lost session", async () => {
    await agent.notify();
    await client.restart(() => client.sql("DELETE FROM key_records WHERE name LIKE 'sessions %'"));
    expect(await agent.notify("Again")).toEqual({ result: { shown: true, folded: false } });
  });
});
