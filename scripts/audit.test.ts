import { spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { verifyIndependently } from "../main/audit-log/testing/independent-verifier.ts";
import { anchorFile, anchorFolder } from "../main/client/launch/data-folder.ts";
import { claimInstance } from "../main/client/launch/instance-lock.ts";
import { openStore } from "../main/storage/index.ts";
import { call, outcome } from "../main/storage/testing/scratch-store.ts";
import { runAudit } from "./audit/run-audit.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const base = mkdtempSync(join(tmpdir(), "consentry-audit-command-"));
const dataDir = join(base, "data");
afterAll(() => rmSync(base, { recursive: true, force: true }));

interface Ended {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function audit(...argv: readonly string[]): Promise<Ended> {
  const stdout = new PassThrough();
  const said: string[] = [];
  const printed = text(stdout);
  const code = await runAudit(argv, { stdout, stderr: (line) => said.push(line), now: Date.now });
  stdout.end();
  return { code, stdout: await printed, stderr: said.join("\n") };
}

beforeAll(async () => {
  const { code, stderr } = await audit("seed", "1500", "--data-dir", dataDir, "--seed", "7");
  expect(stderr).toContain("1500 records");
  expect(code).toBe(0);
});

describe("npm run audit -- verify", () => {
  it("says in words and as JSON that a log holds, and ends with 0", async () => {
    const [words, json] = await Promise.all([
      audit("verify", "--data-dir", dataDir),
      audit("verify", "--data-dir", dataDir, "--json"),
    ]);
    const said = JSON.parse(json.stdout);
    expect(said).toMatchObject({ ok: true, verified: 1500, first_seq: 1, head_seq: 1500 });
    expect(words.stdout).toContain("The log holds.\n1500 records verified.\n");
    expect(words.stdout).toContain(said.head_hash);
    expect([words.code, json.code]).toEqual([0, 0]);
  });

  it("names the first record that was changed, and ends with 1", async () => {
    const copy = join(base, "changed");
    await audit("seed", "40", "--data-dir", copy);
    const db = new Database(join(copy, "consentry.db"));
    db.exec("DROP TRIGGER audit_log_never_changes");
    db.exec("UPDATE audit_log SET scope = 'shell:exec' WHERE seq IN (17, 30)");
    db.close();
    const { code, stdout } = await audit("verify", "--data-dir", copy);
    expect(stdout).toContain("The log does not hold: record 17 was changed.\n16 records verified.");
    expect(code).toBe(1);
  });

  it("ends with 2 when there is no log, no such file, or none of ours", async () => {
    const foreign = join(base, "foreign.txt");
    writeFileSync(foreign, "hello\n");
    const all = await Promise.all([
      audit("verify", "--data-dir", join(base, "nothing")),
      audit("verify", "--file", join(base, "nothing.jsonl")),
      audit("verify", "--file", foreign),
      audit("verify", "--file", foreign, "--data-dir", dataDir),
      audit("verify", "--format", "csv"),
      audit("judge"),
      audit(),
    ]);
    expect(all.map(({ code }) => code)).toEqual(all.map(() => 2));
    expect(all.map(({ stdout }) => stdout).join("")).toBe("");
    for (const { stderr } of all) expect(stderr).not.toBe("");
  });
});

it.each([
  ["verify", "--file"],
  ["salvage", "--output", join(base, "salvaged.jsonl"), "--file"],
])("npm run audit -- %s names a file that does not exist", async (...words) => {
  const file = join(base, "nothing.jsonl");
  expect((await audit(...words, file)).stderr).toBe(`${file} does not exist.`);
});

it.each([
  ["verify", "--data-dir"],
  ["acknowledge", "--data-dir"],
  ["export", "--format", "csv", "--data-dir"],
])("npm run audit -- %s names a data folder that has no log", async (...words) => {
  const folder = join(base, "nothing");
  expect(await audit(...words, folder)).toEqual({
    code: 2,
    stdout: "",
    stderr: `${folder} has no log.`,
  });
});

describe("npm run audit -- acknowledge", () => {
  const folder = join(base, "rolled-back");
  const place = ["--data-dir", folder] as const;
  const start = () =>
    openStore({
      dataDir: folder,
      wallClock: { now: Date.now },
      monotonic: performance,
      random: randomBytes,
      anchor: {
        file: anchorFile(anchorFolder(), folder),
        scheduler: { after: () => () => {} },
        failed: (error) => expect.unreachable(String(error)),
      },
    });
  beforeEach(() => {
    vi.stubEnv("XDG_CONFIG_HOME", join(base, "config"));
    rmSync(join(base, "config"), { recursive: true, force: true });
    rmSync(folder, { recursive: true, force: true });
  });
  afterEach(() => vi.unstubAllEnvs());

  async function rollBack(): Promise<void> {
    await audit("seed", "40", ...place);
    cpSync(folder, `${folder}-copy`, { recursive: true });
    const { store } = start();
    await store.ledger.recordOutcome(outcome(call("lost"), Date.now()));
    await store.ledger.recordOutcome(outcome(call("lost too"), Date.now()));
    store.close();
    rmSync(folder, { recursive: true });
    renameSync(`${folder}-copy`, folder);
  }

  it("ends a verification's 1, which no start of the program does, and is named from then on", async () => {
    await rollBack();
    expect(await audit("verify", ...place)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining("record 41 was there once and is gone"),
    });
    for (let starts = 0; starts < 2; starts += 1) {
      start().store.close();
      const { code, stdout } = await audit("verify", ...place);
      expect(stdout).toContain("record 41 was there once and is gone");
      expect(code).toBe(1);
    }
    expect(await audit("acknowledge", ...place)).toMatchObject({
      code: 0,
      stderr: expect.stringContaining("noted in the log"),
    });
    const { code, stdout } = await audit("verify", ...place);
    expect(stdout).toContain("The log holds.\n41 records verified.");
    expect(stdout).toContain("put back: what stood from 41 on is gone. Acknowledged 20");
    expect(code).toBe(0);
    const json = JSON.parse((await audit("verify", ...place, "--json")).stdout);
    expect(json).toMatchObject({ ok: true, acknowledged: [{ first_lost: 41 }] });
  });

  it.each(["csv", "jsonl"])(
    "is a record that a %s file carries and another's program reads",
    async (format) => {
      await rollBack();
      start().store.close();
      await audit("acknowledge", ...place);
      const file = join(base, `acknowledged.${format}`);
      await audit("export", "--format", format, ...place, "--output", file);
      const { code, stdout } = await audit("verify", "--file", file);
      expect(stdout).toContain("what stood from 41 on is gone");
      expect(code).toBe(0);
      if (format === "jsonl") expect(verifyIndependently(file)).toBe(41);
    },
  );

  it("has nothing to say where nothing was put back, and no folder to make", async () => {
    await audit("seed", "3", ...place);
    expect((await audit("acknowledge", ...place)).stderr).toBe("Nothing to acknowledge.");
    expect((await audit("verify", ...place, "--json")).stdout).toContain('"verified":3');
    const nowhere = join(base, "nowhere");
    expect((await audit("acknowledge", "--data-dir", nowhere)).code).toBe(2);
    expect(existsSync(nowhere)).toBe(false);
  });

  it("leaves it to the program where that runs", async () => {
    await audit("seed", "3", ...place);
    const claim = await claimInstance(folder);
    expect(await audit("acknowledge", ...place)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Consentry is running"),
    });
    if (claim.kind === "first") claim.lock.release();
  });
});

describe("the command itself", () => {
  const run = (...argv: readonly string[]) =>
    spawnSync(process.execPath, ["scripts/audit.ts", ...argv], { cwd: root, encoding: "utf8" });

  it("gives its exit code and its two outputs to whoever started it", () => {
    const good = run("verify", "--data-dir", dataDir, "--json");
    expect([good.status, JSON.parse(good.stdout).ok, good.stderr]).toEqual([0, true, ""]);
    const bad = run("verify", "--data-dir", join(base, "nothing"));
    expect([bad.status, bad.stdout]).toEqual([2, ""]);
  });
});

describe("npm run audit -- export", () => {
  it.each(["csv", "jsonl"])("writes a %s file that verifies by itself", async (format) => {
    const file = join(base, `log.${format}`);
    const to = ["--format", format, "--data-dir", dataDir, "--output", file];
    expect(await audit("export", ...to)).toEqual({ code: 0, stdout: "", stderr: "" });
    if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
    const { code, stdout } = await audit("verify", "--file", file, "--json");
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, verified: 1500 });
    expect(code).toBe(0);
    const again = await audit("export", ...to);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining("--force") });
    expect((await audit("export", ...to, "--force")).code).toBe(0);
  });

  it("writes to standard output, and a piece where a time is given", async () => {
    const { stdout } = await audit("export", "--format", "jsonl", "--data-dir", dataDir);
    const lines = stdout.trimEnd().split("\n");
    expect(lines).toHaveLength(1501);
    const times = lines.slice(1).map((line): number => JSON.parse(line).record.timestamp);
    const moment = times[700] ?? 0;
    const from = new Date(moment).toISOString();
    const piece = await audit(
      ...["export", "--format", "jsonl", "--data-dir", dataDir],
      ...["--from", from, "--to", "2999-12-31"],
    );
    expect(JSON.parse(piece.stdout.split("\n")[0] ?? "")).toMatchObject({
      whole: false,
      first_seq: times.indexOf(moment) + 1,
      head_seq: 1500,
    });
  });

  it("includes the digests of what calls are about only where they are asked for", async () => {
    const subjectsOf = async (...more: readonly string[]) => {
      const to = ["export", "--format", "jsonl", "--data-dir", dataDir, ...more];
      const [, ...lines] = (await audit(...to)).stdout.trimEnd().split("\n");
      return lines.flatMap((line) => JSON.parse(line).subjects ?? []);
    };
    expect(await subjectsOf()).toEqual([]);
    expect((await subjectsOf("--subjects")).length).toBeGreaterThan(1_500);
  });

  it("takes no other format and no invalid time", async () => {
    const all = await Promise.all([
      audit("export", "--format", "xml", "--data-dir", dataDir),
      audit("export", "--format", "csv", "--data-dir", dataDir, "--from", "yesterday"),
      audit("export", "--format", "csv", "--data-dir", dataDir, "--subjects"),
    ]);
    expect(all.map(({ code }) => code)).toEqual([2, 2, 2]);
  });
});

describe("npm run audit -- salvage", () => {
  it("writes what a damaged database still holds", async () => {
    const damaged = join(base, "damaged.db");
    const bytes = readFileSync(join(dataDir, "consentry.db"));
    const db = new Database(join(dataDir, "consentry.db"), { readonly: true });
    const hash = db.prepare<[], string>("SELECT hash FROM audit_log WHERE seq = 700").pluck().get();
    db.close();
    const at = bytes.indexOf(hash ?? "");
    bytes.fill(0xff, at - (at % 4_096), at - (at % 4_096) + 4_096);
    writeFileSync(damaged, bytes);
    const file = join(base, "salvaged.jsonl");
    const { code, stderr } = await audit("salvage", "--file", damaged, "--output", file);
    expect(stderr).toMatch(/^14\d\d records recovered; 0 more .* in 1 gaps\.$/);
    expect(code).toBe(0);
    const verified = await audit("verify", "--file", file, "--json");
    expect(JSON.parse(verified.stdout)).toMatchObject({ ok: false, fault: "missing" });
  });
});

describe("npm run audit -- seed", () => {
  it("leaves a folder alone that has a log", async () => {
    const { code, stderr } = await audit("seed", "10", "--data-dir", dataDir);
    expect(stderr).toContain("has a log already");
    expect(code).toBe(2);
  });
});
