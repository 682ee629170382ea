import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { openDatabase } from "../../hub/storage/open-database.ts";
import { codeWords, readDocument, tableOf } from "../../scripts/read-markdown.ts";
import { MessageNewFrame, MessageSendFrame } from "../protocol/v1/frames.ts";
import { StreamFrame } from "../protocol/v1/relayed-frames.ts";
import { label, PURPOSES, type Purpose } from "./crypto-primitives.ts";
import { ENCRYPTION_ERRORS } from "./encryption-error.ts";
import { ENVELOPE_BYTES } from "./envelope/envelope-format.ts";
import { PASSWORD_COST } from "./keyfile/key-file.ts";
import { RATCHET_RULES } from "./ratchet/ratchet-state.ts";
import { PREKEY_RULES } from "./x3dh/prekeys.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readDocument(root, "docs/encryption.md");
const words = (...header: readonly string[]) =>
  tableOf(page, ...header).map(([cell = ""]) => codeWords(cell)[0]);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

describe("docs/encryption.md", () => {
  it("lists every code that something is refused with", () => {
    expect(words("code", "refused because")).toEqual([...ENCRYPTION_ERRORS]);
  });

  it("lists every label, and no two of them are alike or begin alike", () => {
    expect(words("purpose", "used for")).toEqual(Object.values(PURPOSES));
    const labels = (Object.keys(PURPOSES) as Purpose[]).map((purpose) =>
      Buffer.from(label(purpose)).toString("latin1"),
    );
    expect(labels[0]).toBe("consentry-e2ee-v1 identity\0");
    for (const one of labels) {
      expect(labels.filter((other) => other.startsWith(one))).toEqual([one]);
    }
  });

  it("lists every field of a message or a stream that the hub gets or keeps", () => {
    const { db } = openDatabase(":memory:", 0);
    const columns = db.prepare<[], string>("SELECT name FROM pragma_table_info('messages')");
    const kept = columns.pluck().all();
    db.close();
    const sent = [MessageSendFrame, MessageNewFrame, StreamFrame].flatMap(({ properties }) =>
      Object.keys(properties),
    );
    const had = new Set([...sent, ...kept]);
    // The frame's type, a row's number, and the database's name for the envelope.
    for (const name of ["type", "message_row", "payload"]) expect(had.delete(name)).toBe(true);
    const told = tableOf(page, "field", "why").flatMap(([cell = ""]) => codeWords(cell));
    expect(told.toSorted()).toEqual([...had].toSorted());
  });

  it.each([
    [`at most ${ENVELOPE_BYTES.toLocaleString("en")} bytes`],
    [`${RATCHET_RULES.maxSkip} in one chain`],
    [`${RATCHET_RULES.maxKept} in all, the oldest go first`],
    [`none older than ${RATCHET_RULES.keepMs / HOUR_MS} hour`],
    [`after ${RATCHET_RULES.chainMessages} messages or ${RATCHET_RULES.chainMs / 1_000} s`],
    [`${RATCHET_RULES.setAside} messages`],
    [`older than ${PREKEY_RULES.refuseAfterMs / DAY_MS} days is refused`],
    [`prekey after ${PREKEY_RULES.renewSignedAfterMs / DAY_MS} days`],
    [`kept ${PREKEY_RULES.keepReplacedMs / DAY_MS} more`],
    [`up to ${PREKEY_RULES.oneTimeFull} when`],
    [`fewer than ${PREKEY_RULES.oneTimeLow}`],
    [`at most ${PREKEY_RULES.oneTimeKept} private`],
    [`u32 ${PASSWORD_COST.m} ‖ u32 ${PASSWORD_COST.t} ‖ u32 ${PASSWORD_COST.p}`],
  ])("has the rule's number: %s", (told) => {
    expect(page.text).toContain(told);
  });
});
