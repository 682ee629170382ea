import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { sampleChain } from "../../app/audit/testing/sample-chain.ts";
import { EXPORT_FORMATS, type ExportFormat } from "../../app/contract/audit-log.ts";
import type { TimeRange } from "../storage/index.ts";
import { EXPORT_STEP, exportLog } from "./export-log.ts";
import { verifyIndependently } from "./testing/independent-verifier.ts";
import { NOW, ScratchLog } from "./testing/scratch-log.ts";
import { verifyDatabase, verifyFile } from "./verify-log.ts";
import { writeAside } from "./write-aside.ts";

const WHOLE: TimeRange = { from: null, to: null };
const DAY = 24 * 3_600_000;

const log = ScratchLog.forEachTest();

async function exported(format: ExportFormat, range = WHOLE): Promise<string> {
  const file = log.path(`export.${format}`);
  const chunks = exportLog({ source: log.open(), format, range, exportedAt: NOW });
  await writeAside(file, chunks, { replace: true });
  return file;
}

/** Strings as an agent might choose them. */
const HOSTILE = [
  "=cmd|' /C calc'!A0",
  "+1+1",
  "-1",
  "@SUM(A1)",
  "\t=1",
  "\r\n=1",
  "'quoted",
  "''=1",
  'say "hi", please;=1',
  "back\\slash \\u0041 \\\\",
  "\u202egnp.exe",
  "nul\u0000bell\u0007esc\u001b[31m",
  "\u2028\u2029\ufeff\u200b",
  "\uff1d1+1",
  "\u{e0041}\u{1f600}\u6f22\u5b57",
  "",
  " ",
  "a,b\n=c",
];

it("has digests of what calls are about if asked for, verifies with them, and has none otherwise", async () => {
  const store = log.store();
  store.keepSubjects(new Uint8Array(32));
  await log.append(store, 600, () => ({}), { path: "/home/ada/notes.md" });
  await store.maintain();
  await log.append(store, 1, () => ({ call_id: "new" }), { path: "/srv/notes.md" });
  store.close();
  const file = log.path("subjects.jsonl");
  const request = { source: log.open(), format: "jsonl", range: WHOLE, exportedAt: NOW } as const;
  await writeAside(file, exportLog({ ...request, subjects: true }), { replace: true });
  const [, ...lines] = readFileSync(file, "utf8").trimEnd().split("\n");
  const subjects = lines.map((line) => JSON.parse(line).subjects);
  expect(subjects).toHaveLength(601);
  expect(subjects[0]).toHaveLength(4);
  // The file's name, of both.
  expect(subjects[600][1]).toBe(subjects[0][1]);
  expect((await verifyFile(file)).verdict).toMatchObject({ ok: true, verified: 601 });
  expect(verifyIndependently(file)).toBe(601);
  expect(readFileSync(await exported("jsonl"), "utf8")).not.toContain("subjects");
  writeFileSync(file, readFileSync(file, "utf8").replace(subjects[0][1], "/home/ada/notes.md"));
  expect((await verifyFile(file)).verdict).toMatchObject({ ok: false });
});

describe.each(EXPORT_FORMATS)("a log exported as %s", (format) => {
  it("verifies by itself, as the database does", async () => {
    await log.write(1_203);
    const inDatabase = await verifyDatabase(() => log.open());
    expect(inDatabase).toMatchObject({ verdict: { ok: true, verified: 1_203 }, firstSeq: 1 });
    expect(await verifyFile(await exported(format))).toEqual(inDatabase);
  });

  it("verifies with the rule and the call that records name, and finds them changed", async () => {
    await log.write(HOSTILE.length, (at) => {
      const text = HOSTILE[at - 1] || "rule";
      return at % 2 === 0
        ? { decided_by: "rule", rule_id: text, given_at: NOW, given_on: text }
        : { decided_by: "window", given_at: NOW };
    });
    const file = await exported(format);
    expect((await verifyFile(file)).verdict).toMatchObject({ ok: true, verified: HOSTILE.length });
    expect((await verifyDatabase(() => log.open())).verdict).toMatchObject({ ok: true });
    if (format === "jsonl") expect(verifyIndependently(file)).toBe(HOSTILE.length);
    const given = format === "csv" ? `,${NOW},` : `"given_at":${NOW}`;
    writeFileSync(file, readFileSync(file, "utf8").replace(given, given.replace("0", "1")));
    expect((await verifyFile(file)).verdict).toMatchObject({ ok: false, fault: "changed", seq: 1 });
  });

  it("gives back every text exactly", async () => {
    await log.write(HOSTILE.length, (at) => {
      const text = HOSTILE[at - 1] ?? "";
      return { call_id: text, tool_name: text, scope: `x${text}`, conversation_id: text };
    });
    expect((await verifyFile(await exported(format))).verdict).toEqual({
      ok: true,
      verified: HOSTILE.length,
    });
  });

  it("gives back every naughty string exactly", async (ctx) => {
    const vectors =
      process.env.CONSENTRY_VECTORS ?? path.resolve(import.meta.dirname, "../../../shared/vectors");
    const list = path.join(vectors, "naughty-strings/blns.json");
    if (!existsSync(list)) ctx.skip("naughty strings not found: set CONSENTRY_VECTORS");
    const strings: readonly string[] = JSON.parse(readFileSync(list, "utf8"));
    await log.write(strings.length, (at) => ({ agent_id: strings[at - 1] ?? "" }));
    expect((await verifyFile(await exported(format))).verdict.ok).toBe(true);
  });

  it("holds no character that acts on who looks at it, and one line for each record", async () => {
    await log.write(HOSTILE.length, (at) => ({ call_id: HOSTILE[at - 1] ?? "" }));
    const text = readFileSync(await exported(format), "utf8");
    expect(text.replaceAll("\r\n", "\n")).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
    expect(text.split("\n")).toHaveLength(HOSTILE.length + 2);
  });

  it("names the record that was changed in the file", async () => {
    await log.write(30);
    const file = await exported(format);
    writeFileSync(file, readFileSync(file, "utf8").replace("call-17", "call-71"));
    const verdict = { ok: false, verified: 16, seq: 17, fault: "changed" };
    expect((await verifyFile(file)).verdict).toEqual(verdict);
  });

  it.each([
    ["missing", (lines: string[]) => lines.splice(9, 1)],
    ["inserted", (lines: string[]) => lines.splice(9, 0, "what is this?\n")],
    ["changed", (lines: string[]) => lines.splice(9, 1, "what is this?\n")],
    ["reordered", (lines: string[]) => lines.splice(20, 0, ...lines.splice(9, 1))],
  ])("names a line as %s", async (fault, tamper) => {
    await log.write(30);
    const file = await exported(format);
    const [first = "", ...lines] = readFileSync(file, "utf8").split(/(?<=\n)/);
    tamper(lines);
    writeFileSync(file, [first, ...lines].join(""));
    expect((await verifyFile(file)).verdict).toEqual({ ok: false, verified: 9, seq: 10, fault });
  });

  it("can be a piece by time, which verifies as one", async () => {
    await log.write(100);
    const file = await exported(format, { from: NOW + 41, to: NOW + 60 });
    const report = await verifyFile(file);
    expect(report).toMatchObject({ verdict: { ok: true, verified: 20 }, firstSeq: 41 });
    expect(report).toMatchObject({ head: { seq: 60 }, beginning: "piece" });
    expect(
      (await verifyFile(await exported(format, { from: NOW + 500, to: null }))).verdict,
    ).toEqual({ ok: true, verified: 0 });
  });

  it("has the checkpoint that covers what was purged", async () => {
    await log.write(20);
    log.wall += 31 * DAY;
    await log.write(5);
    const report = await verifyFile(await exported(format));
    expect(report).toMatchObject({ verdict: { ok: true }, firstSeq: 21, beginning: "checkpoint" });
  });

  it("is not written on when a purge takes what was to be read next", async () => {
    await log.write(1_200);
    const chunks = exportLog({ source: log.open(), format, range: WHOLE, exportedAt: NOW });
    const all = chunks[Symbol.asyncIterator]();
    await all.next();
    await all.next();
    log.wall += 31 * DAY;
    await log.write(1);
    await expect(all.next()).rejects.toMatchObject({ code: "store_refused" });
  });

  it("is empty where the log is", async () => {
    await log.write(0);
    expect(await verifyFile(await exported(format))).toEqual({
      verdict: { ok: true, verified: 0 },
      firstSeq: null,
      head: null,
      beginning: "none",
    });
  });

  it("is read while the program writes, as it stood when it was opened", async () => {
    const store = log.store();
    await log.append(store, 700);
    const chunks = exportLog({ source: log.open(), format, range: WHOLE, exportedAt: NOW });
    const parts: Uint8Array[] = [];
    for await (const chunk of chunks) {
      parts.push(chunk);
      await log.append(store, 3);
    }
    store.close();
    const file = log.path("live");
    writeFileSync(file, Buffer.concat(parts));
    expect((await verifyFile(file)).verdict).toEqual({ ok: true, verified: 700 });
    expect((await verifyDatabase(() => log.open())).verdict).toEqual({ ok: true, verified: 709 });
  });

  it("never holds more than one step of records, however long the log", async () => {
    const records = sampleChain(4_000);
    let handedOut = 0;
    let taken = 0;
    const source = {
      extent: { first: 1, last: records.length },
      stretchOf: () => ({ first: 1, last: records.length }),
      page: ({ first, last }: { first: number; last: number }, limit: number) => {
        const page = records.slice(first - 1, Math.min(last, first - 1 + limit));
        if (limit > 1) handedOut += page.length;
        return page;
      },
      subjects: () => new Map(),
    };
    for await (const chunk of exportLog({ source, format, range: WHOLE, exportedAt: NOW })) {
      expect(handedOut - taken).toBeLessThanOrEqual(EXPORT_STEP);
      taken += new TextDecoder().decode(chunk).split("call-").length - 1;
    }
    expect(taken).toBe(4_000);
  });

  it("stops where it is told to", async () => {
    await log.write(1_200);
    const stop = new AbortController();
    const source = log.open();
    const chunks = exportLog({
      source,
      format,
      range: WHOLE,
      exportedAt: NOW,
      signal: stop.signal,
    });
    const file = log.path("stopped");
    async function* stopping() {
      for await (const chunk of chunks) {
        yield chunk;
        stop.abort(new Error("enough"));
      }
    }
    await expect(writeAside(file, stopping(), { replace: false })).rejects.toThrow("enough");
    expect(await readdir(log.base)).toEqual(["data"]);
  });
});

describe("a log that is an older copy of itself", () => {
  it("is told by a record that is noted elsewhere", async () => {
    await log.write(10);
    const { head } = await verifyDatabase(() => log.open());
    if (head === null) throw new Error("no head");
    const withAnchor = async (anchored: { seq: number; hash: string }) =>
      (await verifyDatabase(() => log.open(), { version: 1, head: anchored, breaks: [] })).verdict;
    expect(await withAnchor(head)).toEqual({ ok: true, verified: 10 });
    const fault = "rolled_back";
    expect(await withAnchor({ seq: 12, hash: head.hash })).toMatchObject({ seq: 11, fault });
    expect(await withAnchor({ seq: 10, hash: "e".repeat(64) })).toMatchObject({ seq: 10, fault });
    log.wall += 31 * DAY;
    await log.write(1);
    expect(await withAnchor(head)).toEqual({ ok: true, verified: 2 });
  });
});

describe("a JSONL file", () => {
  it("is verified by a program that knows only its description", async () => {
    await log.write(20, (at) => ({ call_id: HOSTILE[at - 1] ?? `call-${at}` }));
    expect(verifyIndependently(await exported("jsonl"))).toBe(20);
    expect(verifyIndependently(await exported("jsonl", { from: NOW + 5, to: NOW + 9 }))).toBe(5);
    log.wall += 31 * DAY;
    await log.write(5);
    const file = await exported("jsonl");
    expect(verifyIndependently(file)).toBe(6);
    writeFileSync(file, readFileSync(file, "utf8").replace("call-2", "call-3"));
    expect(() => verifyIndependently(file)).toThrow("hash at");
  });

  it("tells that its end was cut off", async () => {
    await log.write(30);
    const file = await exported("jsonl");
    writeFileSync(file, readFileSync(file, "utf8").split("\n").slice(0, 21).join("\n"));
    expect((await verifyFile(file)).verdict).toMatchObject({ fault: "missing", seq: 21 });
  });

  it("tells of a member that no hash covers", async () => {
    await log.write(3);
    const file = await exported("jsonl");
    writeFileSync(file, readFileSync(file, "utf8").replace('{"seq":2,', '{"note":"ok","seq":2,'));
    expect((await verifyFile(file)).verdict).toMatchObject({ fault: "changed", seq: 2 });
  });
});

describe("a CSV file", () => {
  it("has no cell that a spreadsheet would execute, whichever separator it takes", async () => {
    await log.write(HOSTILE.length, (at) => ({ call_id: HOSTILE[at - 1] ?? "" }));
    const text = await readFile(await exported("csv"), "utf8");
    for (const separator of [",", ";", "\t", "|"]) {
      const cells = text.split(/\r\n|\n/).flatMap((line) => cellsOf(line, separator));
      expect(cells.filter((cell) => /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]/.test(cell))).toEqual([]);
    }
  });

  it("from before it named rules verifies, and with their cells it does not", async () => {
    await log.write(3);
    const file = await exported("csv");
    const text = readFileSync(file, "utf8").replace(",rule_id,given_at,given_on\r\n", "\r\n");
    writeFileSync(file, text.replaceAll(/,,,\r\n/g, "\r\n"));
    expect((await verifyFile(file)).verdict).toEqual({ ok: true, verified: 3 });
    writeFileSync(file, text);
    expect((await verifyFile(file)).verdict).toMatchObject({ ok: false, verified: 0 });
  });

  it("tells of a cell that its record does not have", async () => {
    await log.write(3);
    const file = await exported("csv");
    writeFileSync(file, readFileSync(file, "utf8").replace(/(call-2,.*?),,,\r\n/, "$1,,,7\r\n"));
    expect((await verifyFile(file)).verdict).toMatchObject({ fault: "changed", seq: 2 });
  });
});

/** As a spreadsheet splits a line: a quote opens a quoted cell only at its beginning. */
function cellsOf(line: string, separator: string): readonly string[] {
  const cells: string[] = [];
  let rest = line;
  while (rest !== "") {
    const quoted = /^"((?:[^"]|"")*)"?/.exec(rest);
    const head = quoted?.[0] ?? "";
    const end = rest.indexOf(separator, head.length);
    const stop = end === -1 ? rest.length : end;
    cells.push((quoted?.[1] ?? "").replaceAll('""', '"') + rest.slice(head.length, stop));
    rest = rest.slice(stop + 1);
  }
  return cells;
}
