import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { RandomNumbers } from "../../../tests/seeding/random-numbers.ts";
import { DAMAGES } from "../../storage/testing/damage-files.ts";
import { agent, client, connectForEachTest } from "../testing/each-test.ts";

/** Each kind of damage to a hub's file, after a clean end. */
const HARMS = ["a page of junk", "the end cut off", "nothing left"];
const FLIPS = 8;

describe("the hub's database", () => {
  connectForEachTest({ added: [["notification:send", "filesystem:read"]] });

  const hubFile = () => join(client.dataDir, "hub.db");
  const codes = async () => (await client.snapshot()).notices.map(({ code }) => code);
  const remove = (...names: readonly string[]) => {
    for (const name of names) {
      for (const companion of ["", "-wal", "-shm"])
        rmSync(`${hubFile()}${name}${companion}`, { force: true });
    }
  };

  /** The agent reconnects by itself, has its grants, and its calls are handled. */
  async function isBack(): Promise<void> {
    await client.reconnected();
    expect(await client.grants(agent)).toMatchObject({
      "notification:send": "granted",
      "filesystem:read": "granted",
    });
    expect(await agent.call("send_notification", { title: "Back" })).toHaveProperty("result");
  }

  it("is restored from its copy when it is missing, and the person is told", async () => {
    await client.restart(() => remove(""));
    expect(await codes()).toEqual(["hub_recovered"]);
    await isBack();
    await client.restart();
    expect(await codes()).toEqual([]);
    await isBack();
  });

  it("is set aside when it is damaged in any way, and the person is told where", async () => {
    const random = new RandomNumbers("hub");
    for (const harm of HARMS) {
      await client.restart(() => DAMAGES[harm]?.(hubFile(), random));
      const { notices } = await client.snapshot();
      expect([harm, notices.map(({ code }) => code)]).toEqual([harm, ["hub_recovered"]]);
      const kept = notices[0]?.params.file ?? "";
      if (harm !== "nothing left") expect(existsSync(kept)).toBe(true);
      await isBack();
    }
  });

  it("revokes nothing and grants nothing if any bit of it is changed", async () => {
    const random = new RandomNumbers("bits of the hub");
    for (let flip = 0; flip < FLIPS; flip += 1) {
      await client.restart(() => DAMAGES["a bit anywhere"]?.(hubFile(), random));
      expect(["", "hub_recovered"]).toContain((await codes()).join());
      await isBack();
    }
  });

  it("counts as damaged if a letter of a token or a relation is changed", async () => {
    for (const sql of [
      "UPDATE agents SET token_hash = zeroblob(32)",
      "UPDATE h2a_relations SET conversation_id = (SELECT min(conversation_id) FROM conversations), user_id = 'x'",
      "UPDATE members SET member_id = 'y' WHERE member_type = 'agent'",
      "UPDATE agents SET capability_manifest = replace(capability_manifest, 'low', 'loo')",
      "UPDATE settings SET value = CAST('somebody' AS BLOB) WHERE name = 'local_user_id'",
    ]) {
      await client.restart(() => client.sql(sql, "hub.db"));
      expect([sql, await codes()]).toEqual([sql, ["hub_recovered"]]);
      await isBack();
    }
  });

  it("works without a copy that is damaged or missing, and makes a new one", async () => {
    await client.restart(() => remove(".copy"));
    expect(await codes()).toEqual([]);
    await client.restart(() => writeFileSync(`${hubFile()}.copy`, "no database".repeat(1_000)));
    expect(await codes()).toEqual([]);
    await client.restart(() => remove(""));
    await isBack();
  });

  it("restores no agent that the person removed", async () => {
    await client.call("agents.remove", { agent_id: agent.id });
    await client.restart(() => remove(""));
    expect((await client.snapshot()).agents).toEqual([]);
    expect(
      await agent.call("send_notification", { title: "No" }).catch(() => "gone"),
    ).not.toHaveProperty("result");
  });

  it("names the agents that have to be added again when its copy is lost too", async () => {
    const identity = readFileSync(join(client.dataDir, "identity.key"));
    await client.restart(() => remove("", ".copy"));
    await expect.poll(codes).toEqual(["agents_lost"]);
    const { notices } = await client.snapshot();
    expect(Object.values(notices[0]?.params ?? {})).toEqual(["Test agent"]);
    expect(Object.values(await client.grants(agent))).not.toContain("granted");
    expect(readFileSync(join(client.dataDir, "identity.key")).equals(identity)).toBe(true);
    expect(readdirSync(client.dataDir).filter((name) => name.endsWith(".old"))).toEqual([]);
  });

  it("sets the database aside where the copy has a broken agent, and asks again", async () => {
    await client.restart(() =>
      client.sql("UPDATE agents SET manifest = replace(manifest, 'low', 'loo')"),
    );
    expect(await codes()).toContain("database_set_aside");
    await client.reconnected();
    await expect
      .poll(() => client.grants(agent).catch(() => null))
      .toMatchObject({
        "notification:send": "awaiting_reconsent",
        "filesystem:read": "awaiting_reconsent",
      });
  });
});
