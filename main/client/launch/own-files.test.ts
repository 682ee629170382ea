import { execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { LaunchedClient } from "../testing/launched-client.ts";

/** Longer than any file of ours but the databases. */
const TOO_LONG = 100_000;

const IN_DATA = [
  "host.key",
  "identity.key",
  "consentry.db",
  "consentry.db-wal",
  "consentry.db-shm",
  "hub.db",
  "hub.db-wal",
  "hub.db.lock",
  "instance.lock",
];

/** A start with something else in a file's place ends at once, with a code and the file's name. */
describe.skipIf(process.platform === "win32")("a start of the program", () => {
  let client: LaunchedClient;
  let anchor: string;
  beforeAll(async () => {
    client = new LaunchedClient();
    await client.launch();
    await client.close();
    const [name = ""] = readdirSync(client.anchors);
    anchor = join(client.anchors, name);
  });
  afterAll(() => client.end());

  /** The result of a start after `play` has replaced a file. */
  async function startWith(path: string, play: (path: string) => void) {
    const kept = `${path}.kept`;
    if (existsSync(path)) renameSync(path, kept);
    play(path);
    try {
      await client.launch();
      return "started";
    } catch (error) {
      expect((error as Error).message).toContain(path);
      return (error as { readonly code?: unknown }).code;
    } finally {
      await client.close();
      rmSync(path, { recursive: true, force: true });
      if (existsSync(kept)) renameSync(kept, path);
    }
  }

  const places = (): readonly string[] => [
    anchor,
    ...IN_DATA.map((name) => join(client.dataDir, name)),
  ];

  it("does not wait at a pipe", async () => {
    for (const path of places()) {
      const code = await startWith(path, (at) => void execFileSync("mkfifo", [at]));
      expect([path, code]).toEqual([path, "own_file_kind"]);
    }
  });

  it("reads no endless device, and follows no link", async () => {
    for (const path of places()) {
      const code = await startWith(path, (at) => symlinkSync("/dev/zero", at));
      expect([path, code]).toEqual([path, "own_file_link"]);
    }
  });

  it("does not mistake a folder for a file", async () => {
    for (const path of places()) {
      const code = await startWith(path, (at) => mkdirSync(at));
      expect([path, code]).toEqual([path, "own_file_kind"]);
    }
  });

  it("reads none that is longer than such a file ever is", async () => {
    const long = (at: string) => writeFileSync(at, Buffer.alloc(TOO_LONG));
    expect(await startWith(anchor, long)).toBe("own_file_too_large");
  });

  it("does not follow a link that replaces a folder", async () => {
    const elsewhere = `${client.dataDir}-elsewhere`;
    mkdirSync(elsewhere);
    for (const path of [client.anchors, client.dataDir]) {
      expect(await startWith(path, (at) => symlinkSync(elsewhere, at))).toBe("own_folder_link");
    }
    expect(readdirSync(elsewhere)).toEqual([]);
  });

  it("works again once the file is removed", async () => {
    await client.launch();
    expect((await client.snapshot()).notices).toEqual([]);
    await client.close();
  });
});
