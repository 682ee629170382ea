import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { connect, Server } from "node:net";
import Database from "better-sqlite3";
import { expect, onTestFinished, test, vi } from "vitest";
import { hubError } from "./index.ts";
import { HubRig } from "./testing/hub-rig.ts";
import { ofEachTest } from "./testing/of-each-test.ts";

const rig = ofEachTest(new HubRig(), { onDisk: true });

const codeOf = (start: Promise<unknown>): Promise<unknown> =>
  start.then(
    () => "started",
    (error: unknown) => (hubError.is(error) ? error.code : error),
  );

test("a taken port is reported by its code and number", async () => {
  await expect(HubRig.start({ port: rig.port })).rejects.toMatchObject({
    code: "port_in_use",
    message: `The hub's port ${rig.port} is used by another program.`,
  });
});

test("a port that the system does not let us use is not reported as taken", async () => {
  const listen = vi.spyOn(Server.prototype, "listen").mockImplementation(function (this: Server) {
    const refused = Object.assign(new Error("listen EACCES"), { code: "EACCES" });
    process.nextTick(() => this.emit("error", refused));
    return this;
  });
  onTestFinished(() => listen.mockRestore());
  await expect(HubRig.start({ port: 80 })).rejects.toMatchObject({
    code: "listen_failed",
    message: "The hub's port 80 cannot be opened. The system does not let this program use it.",
  });
});

test("only 127.0.0.1 is listened on", async () => {
  for (const host of ["127.0.0.2", "::1"]) {
    await expect(once(connect({ host, port: rig.port }), "connect")).rejects.toThrow();
  }
  expect(rig.hub.url).toBe(`http://127.0.0.1:${rig.port}`);
});

/** What a hub sets aside that starts on this database. */
async function setAsideOf(databasePath: string): Promise<Buffer> {
  const told: (string | null)[] = [];
  await rig.restart({ databasePath, recovered: ({ setAside }) => told.push(setAside) });
  return readFileSync(told[0] ?? "");
}

test("a damaged database is set aside whole, and a new one made", async () => {
  const text = "this was a database once, and somebody may still want to save it";
  const file = `${rig.file}.damaged`;
  writeFileSync(file, text);
  expect(String(await setAsideOf(file))).toBe(text);
});

test.each([999, 8])("a database of version %i is refused, not rewritten", async (version) => {
  const file = `${rig.file}.other`;
  const db = new Database(file);
  db.pragma(`user_version = ${version}`);
  db.close();
  const started = HubRig.start({ databasePath: file });
  expect(await codeOf(started)).toBe("database_other_version");
  const advice = `${file} was written by another version. Start that version, or move the file away`;
  await expect(started).rejects.toThrow(advice);
});

test("a database of ours with the number of a newer one is damaged, and is set aside", async () => {
  await rig.hub.close();
  // The highest byte of the version (SQLite file format, 1.3).
  const bytes = readFileSync(rig.file);
  bytes.writeUInt8(1, 60);
  writeFileSync(rig.file, bytes);
  expect(await setAsideOf(rig.file)).toEqual(bytes);
});
