import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { SUBJECTS_MOST } from "../../app/audit/call-subjects.ts";
import { CHAIN_FAULTS } from "../../app/contract/audit-log.ts";
import { canonicalJson } from "../../app/contract/digest.ts";
import { LIMITS } from "../../app/contract/limits.ts";
import { codeBlocks, codeWords, readDocument, tableOf } from "../../scripts/read-markdown.ts";
import { COLUMNS_OF } from "../storage/index.ts";
import { SubjectDigests } from "../storage/subjects/subject-digests.ts";
import { CSV_HEADER } from "./csv-format.ts";
import { headerLine, readEntry } from "./jsonl-format.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readDocument(root, "docs/audit-log.md");
const word = (cell = ""): string => codeWords(cell)[0] ?? "";
const [bytes = "", subjects = "", columns = ""] = codeBlocks(page, "text");

describe("docs/audit-log.md", () => {
  it("gives an example whose bytes have the hash that its line says", () => {
    const [line = ""] = codeBlocks(page, "json");
    const entry = readEntry(line.trimEnd());
    if (entry === null) throw new Error("the example is no record");
    const { hash, ...hashed } = entry;
    expect(bytes.trimEnd()).toBe(canonicalJson({ ...hashed, record: { ...hashed.record } }));
    expect(createHash("sha256").update(bytes.trimEnd(), "utf8").digest("hex")).toBe(hash);
  });

  it("lists every member of every kind of record", () => {
    const told = tableOf(page, "member", "in").map(([member, kinds = ""]) => [
      word(member),
      codeWords(kinds),
    ]);
    const kindsOf = (member: string) =>
      Object.entries(COLUMNS_OF).flatMap(([kind, members]) =>
        members.some((each) => each === member) ? [kind] : [],
      );
    const members = [...new Set(Object.values(COLUMNS_OF).flat())];
    expect(told).toEqual(members.map((member) => [member, kindsOf(member)]));
    expect(tableOf(page, "kind").map(([kind]) => word(kind))).toEqual(Object.keys(COLUMNS_OF));
  });

  it("gives an example whose subjects have the digests that their lines say", () => {
    const [, args = ""] = codeBlocks(page, "json");
    const key = Buffer.alloc(32);
    const lines = subjects.trimEnd().split("\n");
    const told = lines.map((line) => [line.slice(0, -33), line.slice(-32)]);
    for (const [subject = "", digest] of told) {
      const hmac = createHmac("sha256", key).update(subject, "utf8").digest("hex");
      expect(hmac.slice(0, 32)).toBe(digest);
    }
    const digests = new SubjectDigests(key).ofCall(JSON.parse(args)) ?? [];
    const kept = Buffer.from(digests).toString("hex");
    expect(kept).toBe(told.map(([, digest]) => digest).join(""));
    const limit = LIMITS.subjectChars.toLocaleString("en");
    const text = readFileSync(`${root}/docs/audit-log.md`, "utf8");
    expect(text).toContain(`at most ${SUBJECTS_MOST}:`);
    expect(text).toContain(`more than ${limit} UTF-16`);
  });

  it("lists every fault", () => {
    expect(tableOf(page, "fault").map(([fault]) => word(fault))).toEqual([...CHAIN_FAULTS]);
  });

  it("has the files' headers as they are written", () => {
    expect(columns.trimEnd()).toBe(CSV_HEADER.trimEnd());
    const header = headerLine({ exportedAt: 0, whole: true, after: null, head: null });
    const told = tableOf(page, "member", "what it holds").map(([member]) => word(member));
    expect(told).toEqual(Object.keys(JSON.parse(header)));
  });

  it("lists the flags that the command takes", () => {
    const source = readFileSync(`${root}/scripts/audit/audit-flags.ts`, "utf8");
    const options = source.slice(source.indexOf("options: {"));
    const taken = [...options.matchAll(/"?([\w-]+)"?: \{ type:/g)].map(([, name]) => `--${name}`);
    const told = tableOf(page, "flag", "of").map(([flag]) => word(flag));
    expect(told.toSorted()).toEqual(taken.toSorted());
  });
});
