import { sha256Hex } from "../contract/digest.ts";

/**
 * What the person compares to tell two agents of one name apart: the first 20 hex digits of the
 * identity's SHA-256, in groups of four. Until agents have keys, the identity is the agent id.
 */
export const fingerprintOf = (identity: string): string =>
  (sha256Hex(identity).slice(0, 20).match(/.{4}/g) ?? []).join(" ");
