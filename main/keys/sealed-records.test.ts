import { randomBytes } from "node:crypto";
import { readFileSync, renameSync, statSync } from "node:fs";
import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import { forgetSealed } from "../storage/index.ts";
import { ScratchStore } from "../storage/testing/scratch-store.ts";
import { hostKeyFrom } from "./host-key.ts";
import { sealedRecords } from "./sealed-records.ts";

const hostKey = hostKeyFrom(randomBytes(32));
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const map = (entries: Record<string, string | null>) =>
  new Map(
    Object.entries(entries).map(([name, text]) => [name, text === null ? null : bytes(text)]),
  );

describe("the sealed records", () => {
  const scratch = ScratchStore.forEachTest();

  const texts = async (key = hostKey) => {
    const { store } = scratch.open();
    try {
      const read = await sealedRecords(store.keyRecords, key).load();
      return Object.fromEntries([...read].map(([name, of]) => [name, Buffer.from(of).toString()]));
    } finally {
      store.close();
    }
  };

  async function keep(...batches: Record<string, string | null>[]): Promise<void> {
    const { store } = scratch.open();
    const records = sealedRecords(store.keyRecords, hostKey);
    await Promise.all(batches.map((batch) => records.save(map(batch))));
    store.close();
  }

  function change(sql: string, ...values: unknown[]): void {
    const db = new Database(scratch.file);
    db.prepare(sql).run(...values);
    db.close();
  }

  it("are read as they were kept, the last batch standing, and hide their bytes", async () => {
    await keep({ a: "one-secret", b: "two", empty: "" }, { a: "three-secret", b: null });
    expect(await texts()).toEqual({ a: "three-secret", empty: "" });
    expect(readFileSync(scratch.file).includes("secret")).toBe(false);
  });

  it("do not open under another host key", async () => {
    await keep({ a: "one" });
    const code = "corrupt_state";
    await expect(texts(hostKeyFrom(randomBytes(32)))).rejects.toMatchObject({ code });
  });

  it("do not open under another record's name, changed, cut or empty", async () => {
    await keep({ a: "one", b: "two" });
    const code = "corrupt_state";
    change("UPDATE key_records SET sealed = (SELECT sealed FROM key_records WHERE name = 'b')");
    await expect(texts()).rejects.toMatchObject({ code });
    for (const sealed of [
      Buffer.alloc(0),
      Buffer.of(1),
      Buffer.alloc(40, 1),
      Buffer.alloc(40, 2),
    ]) {
      change("UPDATE key_records SET sealed = ?", sealed);
      await expect(texts()).rejects.toMatchObject({ code });
    }
  });

  it("keep no later batch after one that failed", async () => {
    const { store } = scratch.open();
    const records = sealedRecords(store.keyRecords, hostKey);
    await records.save(map({ a: "kept" }));
    store.close();
    await expect(records.save(map({ a: "lost" }))).rejects.toMatchObject({ code: "store_closed" });
    const code = "storage_failed";
    await expect(records.save(map({ a: "later" }))).rejects.toMatchObject({ code });
    expect(await texts()).toEqual({ a: "kept" });
  });

  it("keep batches again once they are reloaded", async () => {
    const { keyRecords } = scratch.open().store;
    let isFull = true;
    const full = { code: "store_unwritable" };
    const save: typeof keyRecords.save = (changes, isAwaited) =>
      isFull ? Promise.reject(full) : keyRecords.save(changes, isAwaited);
    const records = sealedRecords({ all: () => keyRecords.all(), save }, hostKey);
    await expect(records.save(map({ a: "lost" }))).rejects.toBe(full);
    isFull = false;
    const code = "storage_failed";
    await expect(records.save(map({ a: "later" }))).rejects.toMatchObject({ code });
    expect([...(await records.load())]).toEqual([]);
    await records.save(map({ a: "kept" }));
    expect(await texts()).toEqual({ a: "kept" });
  });

  it("are forgotten only after a whole copy was laid aside, for the owner alone", async () => {
    await keep({ a: "one", b: "two" });
    const copy = forgetSealed(scratch.dataDir, 5, { rows: "records", values: [] }) ?? "";
    expect(await texts()).toEqual({});
    if (process.platform !== "win32") expect(statSync(copy).mode & 0o777).toBe(0o600);
    renameSync(copy, scratch.file);
    expect(await texts()).toEqual({ a: "one", b: "two" });
  });
});
