import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../testing/eventually.ts";
import { LaunchedClient } from "../testing/launched-client.ts";
import type { TestAgent } from "../testing/test-agent.ts";

/** Each test starts the client four times. */
const PATIENCE_MS = 120_000;

describe("a start without its keys", { timeout: PATIENCE_MS }, () => {
  let client: LaunchedClient;
  let agent: TestAgent;
  beforeEach(async () => {
    client = await LaunchedClient.start();
    agent = await client.addAgent();
    await agent.sdk.send(agent.credentials.conversationId, { type: "text", text: "remember me" });
    await eventually(async () => (await texts()).length === 1 || undefined);
  }, PATIENCE_MS);

  const file = (name: string) => join(client.dataDir, name);
  const notices = async () => (await client.snapshot()).notices.map(({ code }) => code);
  const aside = () =>
    readdirSync(client.dataDir)
      .filter((name) => /\.old$|keys-lost/.test(name))
      .map((name) => name.replace(/\d[\dTZ]+/, "…"))
      .sort();
  const texts = async () => {
    const { conversationId: conversation_id } = agent.credentials;
    const { items } = await client.call("conversations.page", { conversation_id, limit: 10 });
    return items.flatMap((item) => (item.kind === "message" ? [item.text] : []));
  };

  /** Without the flag the start is refused and changes nothing; with it, only what is lost is replaced. */
  async function lose(code: string, damage: () => void): Promise<void> {
    await client.close();
    damage();
    const refused = { code, message: expect.stringContaining("--new-keys") };
    await expect(client.launch()).rejects.toMatchObject(refused);
    expect(aside()).toEqual([]);
    client.newKeys = true;
    await client.launch();
    expect(await notices()).toContain("keys_replaced");
    expect(client.stderr.join("\n")).toContain("Set aside: ");
    const left = aside();
    await client.restart();
    expect(client.stderr).toContain("The keys open. No new ones were made.");
    expect(await notices()).not.toContain("keys_replaced");
    expect(aside()).toEqual(left);
  }

  /** The agent's developer compares the number, and the agent continues with the new key. */
  async function expectAcceptedAnew(): Promise<void> {
    const { userId } = agent.credentials;
    const shown = await eventually(async () => {
      const key = (await client.snapshot()).keys.agents[0];
      const seen = await agent.sdk.safetyNumber(userId);
      return key?.safety.digits === seen.digits ? seen : undefined;
    });
    await agent.sdk.acceptKey(userId, shown.digits);
    expect(await agent.notify()).toEqual({ result: { shown: true, folded: false } });
  }

  it("creates new ones and a new identity, and sets aside what the host key sealed", async () => {
    await lose("host_key_missing", () => rmSync(file("host.key")));
    expect(aside()).toEqual(["consentry.db.keys-lost-…", "identity.key.….old"]);
    expect(await texts()).toEqual([]);
    await expectAcceptedAnew();
    const kept = readdirSync(client.dataDir).find((name) => name.includes("keys-lost")) ?? "";
    client.inDatabase((db) => {
      expect(db.prepare("SELECT count(*) FROM messages").pluck().get()).toBe(1);
    }, kept);
  });

  it("creates a new identity if only that is lost, and keeps the messages", async () => {
    await lose("identity_damaged", () => writeFileSync(file("identity.key"), "?"));
    expect(aside()).toEqual(["identity.key.….old"]);
    expect(await texts()).toEqual(["remember me"]);
    await expectAcceptedAnew();
  });

  it("continues as the same person, with nothing granted, if one record is damaged", async () => {
    await client.close();
    client.inDatabase((db) => {
      // One bit of the record with the agent's known key.
      const [name, sealed] = db
        .prepare<[], [string, Buffer]>(
          "SELECT name, sealed FROM key_records WHERE name LIKE 'peer %'",
        )
        .raw()
        .get() ?? ["", Buffer.of(0)];
      sealed.writeUInt8(sealed.readUInt8(sealed.length - 1) ^ 1, sealed.length - 1);
      db.prepare("UPDATE key_records SET sealed = ? WHERE name = ?").run(sealed, name);
    });
    await client.launch();
    expect(aside()).toEqual(["consentry.db.keys-lost-…"]);
    expect(await notices()).toContain("key_records_lost");
    expect(client.stderr.join("\n")).toContain("Set aside: consentry.db.keys-lost-");
    expect(await texts()).toEqual(["remember me"]);
    expect(await agent.notify()).toEqual({ refused: "scope_not_granted" });
    await client.restart();
    expect(await notices()).not.toContain("key_records_lost");
    await client.setScopes(agent, ["notification:send"]);
    expect(await agent.notify()).toEqual({ result: { shown: true, folded: false } });
  });
});
