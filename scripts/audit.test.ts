import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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

  it("takes no other format and no time that is none", async () => {
    const all = await Promise.all([
      audit("export", "--format", "xml", "--data-dir", dataDir),
      audit("export", "--format", "csv", "--data-dir", dataDir, "--from", "yesterday"),
    ]);
    expect(all.map(({ code }) => code)).toEqual([2, 2]);
  });
});

describe("npm run audit -- salvage", () => {
  it("writes what a damaged database still holds", async () => {
    const damaged = join(base, "damaged.db");
    const bytes = readFileSync(join(dataDir, "consentry.db"));
    bytes.fill(0xff, 0, 4096);
    writeFileSync(damaged, bytes);
    const file = join(base, "salvaged.jsonl");
    const { code, stderr } = await audit("salvage", "--file", damaged, "--output", file);
    expect(stderr).toContain("1500 records recovered");
    expect(code).toBe(0);
    const verified = await audit("verify", "--file", file, "--json");
    expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true, verified: 1500 });
  });
});

describe("npm run audit -- seed", () => {
  it("leaves a folder alone that has a log", async () => {
    const { code, stderr } = await audit("seed", "10", "--data-dir", dataDir);
    expect(stderr).toContain("has a log already");
    expect(code).toBe(2);
  });
});
