import { type FileHandle, open, readFile, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { changesOf } from "../../app/encryption/e2ee/ports.ts";
import { ScratchFolder } from "../../main/testing/scratch-folder.ts";
import { KeyJournal } from "./key-journal.ts";

const scratch = ScratchFolder.forEachTest();
let path: string;
beforeEach(() => {
  path = join(scratch.base, "keys");
});

const bytes = (...values: number[]) => Uint8Array.from(values);
const batch = (records: Record<string, Uint8Array | null>) => new Map(Object.entries(records));
const soon = (records: Record<string, Uint8Array | null>) => changesOf(batch(records));
async function filled(): Promise<KeyJournal> {
  const journal = new KeyJournal(path);
  await journal.save(batch({ a: bytes(1) }));
  await journal.save(batch({ b: bytes(2), c: bytes(3) }));
  await journal.save(batch({ a: null }));
  return journal;
}
async function now(): Promise<Record<string, Uint8Array>> {
  const journal = new KeyJournal(path);
  const records = await journal.load();
  await journal.close();
  return Object.fromEntries(records);
}

/** What all open files have in common, to make them fail. */
async function ofFileHandles() {
  const handle = await open(path);
  await handle.close();
  return Object.getPrototypeOf(handle);
}

describe("the key journal", () => {
  it("keeps batches, and reads them again", async () => {
    const journal = await filled();
    expect(Object.fromEntries(await journal.load())).toEqual({ b: bytes(2), c: bytes(3) });
    await journal.close();
    expect(await now()).toEqual({ b: bytes(2), c: bytes(3) });
  });

  it("keeps what nobody waits for with the next batch, or soon, or when it closes", async () => {
    const journal = new KeyJournal(path);
    await journal.load();
    const patient = journal.saveSoon(soon({ a: bytes(1) }));
    await journal.save(batch({ b: bytes(2) }));
    await patient;
    await journal.saveSoon(soon({ c: bytes(3) }));
    const last = journal.saveSoon(soon({ d: bytes(4) }));
    await journal.close();
    await last;
    expect(await now()).toEqual({ a: bytes(1), b: bytes(2), c: bytes(3), d: bytes(4) });
  });

  it("goes on when the wait of a batch ends that was written already", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    try {
      const journal = new KeyJournal(path);
      await journal.load();
      const first = journal.save(batch({ a: bytes(1) }));
      const patient = journal.saveSoon(soon({ b: bytes(2) }));
      await Promise.all([first, patient]);
      vi.advanceTimersByTime(1_000);
      await journal.save(batch({ c: bytes(3) }));
      await journal.close();
    } finally {
      vi.useRealTimers();
    }
    expect(await now()).toEqual({ a: bytes(1), b: bytes(2), c: bytes(3) });
  });

  it("never writes what was deleted before its turn", async () => {
    const journal = new KeyJournal(path);
    await journal.load();
    const secret = new TextEncoder().encode("a content that was dealt with at once");
    const set = journal.saveSoon(soon({ a: secret }));
    await Promise.all([set, journal.save(batch({ a: null }))]);
    await journal.close();
    expect((await readFile(path, "latin1")).includes("dealt with")).toBe(false);
  });

  it.skipIf(process.platform === "win32")("is its owner's alone", async () => {
    await writeFile(path, "", { mode: 0o644 });
    await (await filled()).close();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it("keeps batches whole or not at all, wherever a crash cut the file", async () => {
    await (await filled()).close();
    const whole = await readFile(path);
    const seen = new Set<string>();
    for (let end = 0; end < whole.length; end += 1) {
      await writeFile(path, whole.subarray(0, end));
      seen.add(Object.keys(await now()).join());
    }
    expect([...seen]).toEqual(["", "a", "a,b,c"]);
  });

  it("goes on behind what a crash cut off", async () => {
    await (await filled()).close();
    await truncate(path, (await stat(path)).size - 1);
    const again = new KeyJournal(path);
    expect(Object.keys(Object.fromEntries(await again.load()))).toEqual(["a", "b", "c"]);
    await again.save(batch({ d: bytes(4) }));
    await again.close();
    expect(Object.keys(await now())).toEqual(["a", "b", "c", "d"]);
  });

  it("is refused, and not read as less, when something in its midst was changed", async () => {
    await (await filled()).close();
    const whole = new Uint8Array(await readFile(path));
    await writeFile(path, whole.with(14, (whole[14] ?? 0) ^ 1));
    await expect(new KeyJournal(path).load()).rejects.toMatchObject({ code: "corrupt_state" });
  });

  it("stays small: it is rewritten when most of it was replaced", async () => {
    const journal = new KeyJournal(path);
    const large = new Uint8Array(300_000);
    for (let round = 0; round < 12; round += 1) {
      await journal.save(batch({ large: large.with(0, round) }));
      await journal.save(new Map([[`small-${round}`, bytes(round)]]));
    }
    expect((await stat(path)).size).toBeLessThan(1_600_000);
    await journal.save(batch({ last: bytes(9) }));
    await journal.close();
    const kept = await now();
    expect(kept.large?.[0]).toBe(11);
    expect(Object.keys(kept)).toHaveLength(14);
  });

  it("confirms in the order in which it was asked, also when asked for many at once", async () => {
    const journal = new KeyJournal(path);
    await journal.load();
    const order: number[] = [];
    const asked = Array.from({ length: 50 }, (_, at) =>
      journal.save(batch({ n: bytes(at) })).then(() => order.push(at)),
    );
    await Promise.all(asked);
    expect(order).toEqual(Array.from({ length: 50 }, (_, at) => at));
    await journal.close();
    expect(await now()).toEqual({ n: bytes(49) });
  });

  it("keeps nothing while the disk is full, and goes on from what it has once the file is read again", async () => {
    const journal = await filled();
    const proto = await ofFileHandles();
    const write = proto.write;
    const half = vi.spyOn(proto, "write").mockImplementation(async function (
      this: FileHandle,
      ...args: unknown[]
    ) {
      const [batch, at, length, to] = args as [Uint8Array, number, number, number];
      await write.call(this, batch, at, length >> 1, to);
      throw Object.assign(new Error("full"), { code: "ENOSPC" });
    });
    const full = { code: "ENOSPC" };
    await expect(journal.save(batch({ d: bytes(4) }))).rejects.toMatchObject(full);
    half.mockRestore();
    await expect(journal.save(batch({ e: bytes(5) }))).rejects.toMatchObject(full);
    expect([...(await journal.load()).keys()]).toEqual(["b", "c"]);
    await journal.save(batch({ f: bytes(6) }));
    await journal.close();
    expect(Object.keys(await now())).toEqual(["b", "c", "f"]);
  });

  it("leaves no file open when it could not be rewritten, and goes on once it is read again", async () => {
    const journal = await filled();
    let beside: FileHandle | undefined;
    const full = { code: "ENOSPC" };
    const write = vi.spyOn(await ofFileHandles(), "writeFile");
    write.mockImplementation(async function (this: FileHandle) {
      beside = this;
      throw Object.assign(new Error("full"), full);
    });
    const large = batch({ large: new Uint8Array(1_100_000) });
    await expect(journal.save(large)).rejects.toMatchObject(full);
    write.mockRestore();
    expect(beside?.fd).toBe(-1);
    expect([...(await journal.load()).keys()]).toEqual(["b", "c"]);
    await journal.save(large);
    await journal.close();
    expect(Object.keys(await now())).toEqual(["b", "c", "large"]);
  });

  it("keeps nothing more once it is closed or somebody else's", async () => {
    const journal = await filled();
    await journal.close();
    await expect(journal.save(batch({ d: bytes(4) }))).rejects.toThrow();
    await expect(journal.load()).rejects.toThrow();
    expect(Object.keys(await now())).toEqual(["b", "c"]);
  });
});
