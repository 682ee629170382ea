import { canonicalJson, sha256Hex } from "../contract/digest.ts";
import type { AuditRecord, ChainedRecord } from "./audit-record.ts";

export const GENESIS_HASH = "0".repeat(64);

/** Lowercase hex SHA-256 of a text's UTF-8 bytes; a host may bring a faster one of its own. */
export type TextHash = (text: string) => string;

/** Hash of a record in its place: its RFC 8785 form together with its number and predecessor. */
export const recordHash = (
  seq: number,
  prevHash: string,
  record: AuditRecord,
  sha256: TextHash = sha256Hex,
): string => sha256(canonicalJson({ seq, prev_hash: prevHash, record: { ...record } }));

export const chainRecord = (
  seq: number,
  prevHash: string,
  record: AuditRecord,
  sha256: TextHash = sha256Hex,
): ChainedRecord => ({
  seq,
  prev_hash: prevHash,
  hash: recordHash(seq, prevHash, record, sha256),
  record,
});
