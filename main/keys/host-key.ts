import { hkdfSync } from "node:crypto";
import { ByteWriter } from "../../app/encryption/bytes/byte-writer.ts";
import { joinBytes } from "../../app/encryption/bytes/join-bytes.ts";
import { SIZES } from "../../app/encryption/crypto-primitives.ts";
import type { Protection } from "../../app/encryption/keyfile/sealed-at-rest.ts";
import { label } from "../../app/encryption/labels.ts";

/** What keys are derived for; listed in docs/encryption.md, "Host key". */
const HOST_KEY_USES = [
  /** To recognize the key again; stored in the clear beside what it protects. */
  "check",
  /**
   * Sessions, prekeys, opened envelopes and everything else that an end of the encryption
   * remembers.
   */
  "key state",
  /** Stored messages. */
  "conversations",
  /** Digests of what calls are about, beside the log. */
  "log subjects",
  /** What the person typed and a system's vault does not keep, such as a provider's key. */
  "secrets",
] as const;
type HostKeyUse = (typeof HOST_KEY_USES)[number];

/** This installation's key; every secret on the disk is encrypted under it. */
export interface HostKey {
  /** Only for key files (docs/encryption.md, "Key files"). */
  readonly protection: Protection & { readonly kind: "host_key" };
  /** 32 bytes for this use only, the same at every start. */
  keyFor(use: HostKeyUse): Uint8Array;
}

/** @param bytes 32 random bytes */
export function hostKeyFrom(bytes: Uint8Array): HostKey {
  return {
    protection: { kind: "host_key", key: bytes },
    keyFor: (use) => {
      const info = joinBytes(label("hostKeyUse"), new ByteWriter().text(use).done());
      return new Uint8Array(hkdfSync("sha256", bytes, new Uint8Array(0), info, SIZES.key));
    },
  };
}

/** A check value, stored to notice if the key is replaced. */
export const checkOf = (key: HostKey): string => Buffer.from(key.keyFor("check")).toString("hex");
