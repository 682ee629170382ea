import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import canonicalize from "canonicalize";
import type { JsonValue } from "./json.ts";

/**
 * RFC 8785 form of a JSON value.
 * @throws TypeError when the value is not JSON (the strict reader never yields such a value)
 */
export function canonicalJson(value: JsonValue): string {
  const text = canonicalize(value);
  if (text === undefined) throw new TypeError("not a JSON value");
  return text;
}

/** Lowercase hex SHA-256 of bytes, or of a text's UTF-8 bytes. */
export function sha256Hex(data: string | Uint8Array): string {
  return bytesToHex(sha256(typeof data === "string" ? utf8ToBytes(data) : data));
}

/** Lowercase hex SHA-256 of a value's RFC 8785 form (`arguments_digest`, `capability_manifest_hash`). */
export const digestOf = (value: JsonValue): string => sha256Hex(canonicalJson(value));
