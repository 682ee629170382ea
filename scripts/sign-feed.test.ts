import { spawnSync } from "node:child_process";
import { createPublicKey, generateKeyPairSync, verify } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { load } from "js-yaml";
import { afterAll, expect, test } from "vitest";

const SCRIPT = fileURLToPath(new URL("sign-feed.ts", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "consentry-feed-"));
afterAll(() => rmSync(folder, { recursive: true }));
const { privateKey } = generateKeyPairSync("ed25519");
const key = privateKey.export({ format: "pem", type: "pkcs8" }).toString();
const list = join(folder, "latest-linux.yml");
const TEXT = "version: 1.1.0\npath: consentry-x64.AppImage\n";

const signFeed = (args: readonly string[], env: Record<string, string>) => {
  const { CONSENTRY_FEED_KEY: _, ...rest } = process.env;
  return spawnSync(process.execPath, [SCRIPT, ...args], {
    encoding: "utf8",
    env: { ...rest, ...env },
  });
};

test("the lists in a folder are signed, with the share of installations that gets them", () => {
  writeFileSync(list, TEXT);
  const run = signFeed([folder, "--percent", "20"], { CONSENTRY_FEED_KEY: key });
  expect(run).toMatchObject({ status: 0, stdout: "Signed latest-linux.yml.\n" });
  const text = readFileSync(list, "utf8");
  expect(load(text)).toEqual({
    version: "1.1.0",
    path: "consentry-x64.AppImage",
    stagingPercentage: 20,
  });
  const signature = Buffer.from(readFileSync(`${list}.sig`, "utf8"), "base64");
  const signed = Buffer.from(`consentry update list 1\nlatest-linux.yml\n${text}`);
  expect(verify(null, signed, createPublicKey(privateKey), signature)).toBe(true);
  signFeed([folder, "--percent", "100"], { CONSENTRY_FEED_KEY: key });
  expect(load(readFileSync(list, "utf8"))).toMatchObject({ stagingPercentage: 100 });
});

test.each([
  ["without a key", [folder], {}, "CONSENTRY_FEED_KEY"],
  ["in a folder without lists", [tmpdir()], { CONSENTRY_FEED_KEY: key }, "no lists"],
  ["for no share", [folder, "--percent", "0"], { CONSENTRY_FEED_KEY: key }, "from 1 to 100"],
])("nothing is signed %s", (_case, args, env, told) => {
  writeFileSync(list, TEXT);
  const run = signFeed(args, env);
  expect(run.status).toBe(1);
  expect(run.stderr).toContain(told);
  expect(readFileSync(list, "utf8")).toBe(TEXT);
});
