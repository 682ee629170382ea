import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeEach, expect, test } from "vitest";
import { HubError } from "./index.ts";
import { HubRig } from "./testing/hub-rig.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "hub-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const codeOf = (start: Promise<HubRig>): Promise<unknown> =>
  start.then(
    () => "started",
    (error: unknown) => (error instanceof HubError ? error.code : error),
  );

test("a taken port is reported by its code", async () => {
  const rig = await HubRig.start();
  expect(await codeOf(HubRig.start({ port: rig.port }))).toBe("port_in_use");
  await rig.hub.close();
});

test("nothing beyond loopback is listened on", async () => {
  const host = "0.0.0.0" as "127.0.0.1";
  expect(await codeOf(HubRig.start({ host }))).toBe("host_refused");
  const rig = await HubRig.start({ host: "127.0.0.1" });
  expect(rig.hub.url).toBe(`http://127.0.0.1:${rig.port}`);
  await rig.hub.close();
});

test("a damaged database is set aside whole, and a new one made", async () => {
  const file = join(folder, "damaged.sqlite");
  const bytes = "this was a database once, and somebody may still want to save it";
  writeFileSync(file, bytes);
  const told: (string | null)[] = [];
  const recovered = ({ setAside }: { setAside: string | null }) => told.push(setAside);
  const rig = await HubRig.start({ databasePath: file, recovered });
  await rig.hub.close();
  expect(readFileSync(told[0] ?? "", "utf8")).toBe(bytes);
});

test("a database of a newer hub is refused, not rewritten", async () => {
  const file = join(folder, "newer.sqlite");
  const db = new Database(file);
  db.pragma("user_version = 999");
  db.close();
  expect(await codeOf(HubRig.start({ databasePath: file }))).toBe("database_too_new");
  const advice = `${file} was written by a newer version. Start that version, or move the file away`;
  await expect(HubRig.start({ databasePath: file })).rejects.toThrow(advice);
});

test("a database of ours with the number of a newer one is damaged, and is set aside", async () => {
  const file = join(folder, "hub.sqlite");
  const first = await HubRig.start({ databasePath: file });
  await first.hub.close();
  // The highest byte of the version (SQLite file format, 1.3).
  const bytes = readFileSync(file);
  bytes.writeUInt8(1, 60);
  writeFileSync(file, bytes);
  const told: (string | null)[] = [];
  const recovered = ({ setAside }: { setAside: string | null }) => told.push(setAside);
  const rig = await HubRig.start({ databasePath: file, recovered });
  await rig.hub.close();
  expect(readFileSync(told[0] ?? "")).toEqual(bytes);
});
