import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";
import { ScratchFolder } from "../../../main/testing/scratch-folder.ts";
import { Fleet } from "../fleet/fleet.ts";
import { HubRig } from "../hub-rig.ts";
import { dropTestDatabases, hasPostgres, testDatabase } from "../test-postgres.ts";
import { runConform } from "./run-conform.ts";

const script = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const scratch = ScratchFolder.forEachTest();
const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

it.each(["a file", ...(hasPostgres ? ["PostgreSQL"] : [])])(
  "a hub on %s keeps to the protocol, as its owner and strangers see it",
  async (where) => {
    const own = ["--listen", "127.0.0.1:0", "--data-dir", scratch.base];
    const kept = where === "PostgreSQL" ? ["--database", await testDatabase(scratch.base)] : [];
    const hub = spawn(process.execPath, [script("../../../scripts/hub.ts"), ...own, ...kept], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    ends.push(() => hub.kill("SIGKILL"), dropTestDatabases);
    const [line] = await once(hub.stdout, "data");
    const ready = JSON.parse(String(line)) as { hub: string; owner_token_file: string };
    const asked = [script("./main.ts"), ready.hub];
    const child = spawn(process.execPath, [...asked, "--owner-token-file", ready.owner_token_file]);
    const said = await text(child.stdout);
    expect(said.trim().split("\n")).toEqual([expect.stringMatching(/^\d+ passed, 0 failed$/)]);
  },
  120_000,
);

it.runIf(hasPostgres)(
  "three nodes behind one address keep to the protocol as one does",
  {
    timeout: 120_000,
  },
  async () => {
    const fleet = await Fleet.start(3);
    ends.push(() => fleet.end());
    const lines: string[] = [];
    await runConform(await fleet.balance(), fleet.ownerTokenFile(0), (line) => lines.push(line));
    expect(lines).toEqual([expect.stringMatching(/^\d+ passed, 0 failed$/)]);
  },
);

it("a hub that is none fails, and each case is named", async () => {
  const server = createServer((_, response) => response.end("{}"));
  await once(server.listen(0, "127.0.0.1"), "listening");
  ends.push(() => server.close());
  const lines: string[] = [];
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  expect(await runConform(url, undefined, (line) => lines.push(line))).toBe(false);
  expect(lines.at(-1)).toMatch(/^0 passed, \d+ failed$/);
  expect(lines[0]).toMatch(/^Not tried without --owner-token-file: \d+ cases/);
});

it("a token that is not the owner's fails what the owner may do alone", async () => {
  const rig = await HubRig.start();
  ends.push(() => rig.end());
  const lines: string[] = [];
  const file = join(scratch.base, "token");
  writeFileSync(file, "none");
  expect(await runConform(rig.url, file, (line) => lines.push(line))).toBe(false);
  expect(lines.filter((line) => line.startsWith("failed: ")).length).toBeGreaterThan(5);
});
