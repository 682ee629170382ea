import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../app/contract/digest.ts";
import { LIMITS } from "../app/contract/limits.ts";
import { parseStrictJson, strictJsonError } from "../app/contract/strict-json.ts";
import { decodeToolCall } from "../app/protocol/v1/tool-messages.ts";
import { codeWords, readDocument, tableOf } from "./read-markdown.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const protocol = readDocument(root, "docs/protocol.md");
const contract = readDocument(root, "docs/contract.md").text.replaceAll(/\s+/g, " ");
const rows = tableOf(protocol, "written").map((cells) => cells.map((cell) => codeWords(cell)[0]));

const callWith = (number: string): string =>
  `{"type":"artifact","artifact":{"subtype":"tool_call","call_id":"c","tool_name":"t","permission_scope":"s","arguments":{"n":${number}}}}`;

function faultOf(text: string): string | undefined {
  try {
    parseStrictJson(text, LIMITS.callBytes);
  } catch (error) {
    if (strictJsonError.is(error)) return error.code;
    throw error;
  }
  return undefined;
}

describe("docs/protocol.md on numbers", () => {
  it("has a row for each thing that can become of one", () => {
    expect(new Set(rows.map(([, , fault]) => fault))).toEqual(
      new Set([undefined, "unsafe_integer", "number_overflow", "syntax"]),
    );
  });

  it.each(rows)("says what becomes of %s", (written = "", read, fault) => {
    const call = decodeToolCall(new TextEncoder().encode(callWith(written)), "m");
    const became =
      call.kind === "call" ? canonicalJson(call.call.arguments) : call.malformed.refusal;
    const told =
      fault === undefined
        ? `{"n":${read}}`
        : { status: "error", error_code: "TOOL_INVALID_ARGUMENTS", reason: "malformed_json" };
    expect(became).toEqual(told);
    expect(faultOf(callWith(written))).toBe(fault);
  });
});

describe("docs/protocol.md on artifacts", () => {
  it("has every limit of an artifact's parts", () => {
    const told = tableOf(protocol, "part of an artifact", "at most").map(([, most = ""]) =>
      Number.parseInt(most.replaceAll(",", ""), 10),
    );
    expect(told).toEqual([
      LIMITS.artifactBlocks,
      LIMITS.artifactBytes,
      LIMITS.artifactFileBytes,
      LIMITS.callIdChars,
      LIMITS.artifactLabelChars,
      LIMITS.artifactTextChars,
      LIMITS.artifactColumns,
      LIMITS.artifactRows,
      LIMITS.artifactOptions,
    ]);
  });
});

const KIB = 1_024;
const MIB = KIB * KIB;
const SECOND = 1_000;
const HOUR = 3_600 * SECOND;
const DAY = 24 * HOUR;
const WORDS = new Map(
  Object.entries({ 3: "three", 5: "five", 7: "seven", 10: "ten", 20: "twenty" }),
);

describe("docs/contract.md on limits", () => {
  const sections = new Map(
    contract.split(/(?=## §)/).map((text) => [/§\d+/.exec(text)?.[0] ?? "", text]),
  );
  it.each([
    ["§1", LIMITS.callBytes / KIB, "KiB"],
    ["§1", LIMITS.resultBytes / MIB, "MiB"],
    ["§1", LIMITS.jsonDepth, "levels"],
    ["§2", LIMITS.toolTimeoutDefaultMs / SECOND, "s"],
    ["§2", LIMITS.toolTimeoutCapMs / SECOND, "s"],
    ["§3", LIMITS.quietUnusedMs / HOUR, "hours"],
    ["§3", LIMITS.quietLongestMs / DAY, "days"],
    ["§3", LIMITS.consentTimeoutMs / SECOND, "s"],
    ["§3", LIMITS.consentTimeoutCapMs / SECOND, "s"],
    ["§3", LIMITS.consentTimeoutLocalMs / SECOND, "s"],
    ["§3", LIMITS.approvalInertMs, "ms"],
    ["§3", LIMITS.agentAbsenceGraceMs / SECOND, "s"],
    ["§3", LIMITS.notificationsPerMinute, "of one agent's notifications"],
    ["§3", LIMITS.waitingPerAgent, "requests of one agent"],
    ["§3", LIMITS.waitingInAll, "in\\s+all"],
    ["§3", LIMITS.waitingLocal, "requests together"],
    ["§5", LIMITS.manifestBytes, "bytes"],
    ["§5", LIMITS.manifestWarnBytes, "bytes"],
    ["§6", LIMITS.auditRetentionMs / DAY, "× 24 hours"],
    ["§8", LIMITS.toolCallsPerMinute, "tool calls"],
    ["§8", LIMITS.sentBytesPerMinute / MIB, "MiB"],
    ["§8", LIMITS.waitingBytes / MIB, "MiB"],
    ["§8", LIMITS.keyChangesPerHour, "times an hour"],
    ["§8", LIMITS.keptBytes / MIB, "MiB"],
    ["§12", LIMITS.artifactBlocks, "blocks"],
    ["§12", LIMITS.artifactBytes / KIB, "KiB"],
    ["§12", LIMITS.artifactFileBytes / KIB, "KiB of files"],
  ])("%s says %d %s", (section, limit, unit) => {
    const number = [limit.toLocaleString("en"), WORDS.get(String(limit))].filter(Boolean).join("|");
    expect(sections.get(section)).toMatch(new RegExp(`\\b(?:${number}) ${unit}\\b`, "i"));
  });
});
