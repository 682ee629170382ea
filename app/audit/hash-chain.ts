import { sha256Hex } from "../contract/digest.ts";
import type { AuditRecord, ChainedRecord } from "./audit-record.ts";

export const GENESIS_HASH = "0".repeat(64);

/** Lowercase hex SHA-256 of a text's UTF-8 bytes; a host may pass in a faster one. */
export type TextHash = (text: string) => string;

/**
 * Hash of a record and its position: the RFC 8785 form of the record, its number and its
 * predecessor's hash.
 */
export const recordHash = (
  seq: number,
  prevHash: string,
  record: AuditRecord,
  sha256: TextHash = sha256Hex,
): string =>
  sha256(
    `{"prev_hash":${JSON.stringify(prevHash)},"record":${flatCanonicalJson(record)},"seq":${JSON.stringify(seq)}}`,
  );

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

/**
 * RFC 8785 for an object without nested objects: sorted members, each serialized as in ECMAScript
 * (§3.2.2). Every append and every verification step waits for this, and the general implementation
 * takes several times as long.
 */
function flatCanonicalJson(record: AuditRecord): string {
  const values: Readonly<Record<string, unknown>> = { ...record };
  let text = "";
  for (const [name, prefix] of prefixesOf(record)) {
    const value = JSON.stringify(values[name]);
    if (value !== undefined) text += `${text === "" ? "" : ","}${prefix}${value}`;
  }
  return `{${text}}`;
}

type Prefixes = readonly (readonly [name: string, prefix: string])[];

interface Shape {
  readonly names: readonly string[];
  readonly prefixes: Prefixes;
}

/** Records of one kind nearly always have the same members. */
const SHAPES: Shape[] = [];
const SHAPES_MAX = 16;

function prefixesOf(record: AuditRecord): Prefixes {
  const names = Object.keys(record);
  const known = SHAPES.find((shape) => sameNames(shape.names, names));
  if (known !== undefined) return known.prefixes;
  const prefixes = names.toSorted().map((name) => [name, `${JSON.stringify(name)}:`] as const);
  if (SHAPES.length < SHAPES_MAX) SHAPES.push({ names, prefixes });
  return prefixes;
}

/** Compared one by one: if joined, the names of a tampered row could equal those of another. */
function sameNames(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((name, place) => name === other[place]);
}
