import { mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
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

test("a damaged database stops the hub and is left as it is", async () => {
  const file = join(folder, "damaged.sqlite");
  writeFileSync(file, "this was a database once, and somebody may still want to save it");
  expect(await codeOf(HubRig.start({ databasePath: file }))).toBe("database_unusable");
  expect(statSync(file).size).toBe(64);
});

test("a database of a newer hub is refused, not rewritten", async () => {
  const file = join(folder, "newer.sqlite");
  const db = new Database(file);
  db.pragma("user_version = 999");
  db.close();
  expect(await codeOf(HubRig.start({ databasePath: file }))).toBe("database_too_new");
});
