import { beforeEach, describe, expect, it } from "vitest";
import { PATIENCE_MS } from "../testing/deceived-client.ts";
import { eventually } from "../testing/eventually.ts";
import { LaunchedClient } from "../testing/launched-client.ts";
import { type Published, PublishedKeys } from "../testing/published-keys.ts";
import type { TestAgent } from "../testing/test-agent.ts";

const SHOWN = { result: { shown: true, folded: false } };

describe("a key change that is undone", { timeout: PATIENCE_MS }, () => {
  let client: LaunchedClient;
  let agent: TestAgent;
  let published: PublishedKeys;

  beforeEach(async () => {
    client = await LaunchedClient.start();
    agent = await client.addAgent();
    await agent.notify();
    published = new PublishedKeys(agent, client.hubUrl);
  }, PATIENCE_MS);

  const key = async () => (await client.snapshot()).keys.agents[0];
  const codes = async () => (await client.snapshot()).notices.map(({ code }) => code);
  const changed = () => eventually(async () => (await key())?.changed ?? undefined);

  /** Gives the hub these keys without any notice, at a moment at which it has nothing to store. */
  async function putSilently({ card, signedPrekey, keyId }: Published): Promise<void> {
    const sql = `UPDATE identity_keys SET key_id = ?, identity_card = ?, signed_prekey = ? WHERE owner_id = ?`;
    await expect
      .poll(() =>
        client.inDatabase(
          (db) => db.prepare(sql).run(keyId, card, signedPrekey, agent.id).changes,
          "hub.db",
        ),
      )
      .toBe(1);
  }

  it("makes the agent work again, and the person is told", async () => {
    const digits = (await key())?.safety.digits ?? "";
    await client.call("keys.verify", { agent_id: agent.id, digits, verified: true });
    const known = await published.now();
    await published.exchange();
    await changed();
    expect(await codes()).toContain("key_changed");
    const held = agent.notify("Held", "held");
    await published.put(known);
    expect(await held).toEqual(SHOWN);
    expect(await key()).toMatchObject({ changed: null, verified: true, safety: { digits } });
    expect(await codes()).toContain("key_changed_back");
    expect(await codes()).not.toContain("key_changed");
  });

  it("delivers the answer that could not be sealed in the meantime", async () => {
    const known = await published.now();
    const waiting = agent.write();
    await client.waitingCard();
    await published.exchange();
    await changed();
    await published.put(known);
    expect(await waiting).toEqual({ refused: "permission_revoked" });
  });

  it("does not accept the number of a key that is gone", async () => {
    const known = await published.now();
    await published.exchange();
    const { digits } = await changed();
    await putSilently(known);
    const accept = client.call("keys.accept", { agent_id: agent.id, digits });
    await expect(accept).rejects.toThrow("key_changed");
    expect(await key()).toMatchObject({ changed: null });
    expect(await agent.notify()).toEqual(SHOWN);
    await expect(client.call("keys.accept", { agent_id: agent.id, digits })).rejects.toThrow(
      "key_changed",
    );
  });

  it("does not accept a number for a later key", async () => {
    const another = await published.another();
    await published.exchange();
    const { digits } = await changed();
    await putSilently(another);
    const accept = client.call("keys.accept", { agent_id: agent.id, digits });
    await expect(accept).rejects.toThrow("key_changed");
    expect((await changed()).digits).not.toBe(digits);
  });

  it("is noticed at the agent's next message even without a notice from the hub", async () => {
    const known = await published.now();
    await published.exchange();
    await changed();
    await putSilently(known);
    expect(await agent.notify()).toEqual(SHOWN);
    expect(await key()).toMatchObject({ changed: null });
    expect(await codes()).toContain("key_changed_back");
  });
});
