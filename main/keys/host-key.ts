import { hkdfSync } from "node:crypto";
import { ByteWriter } from "../../app/encryption/bytes/byte-writer.ts";
import { joinBytes } from "../../app/encryption/bytes/join-bytes.ts";
import { SIZES } from "../../app/encryption/crypto-primitives.ts";
import type { Protection } from "../../app/encryption/keyfile/sealed-at-rest.ts";
import { label } from "../../app/encryption/labels.ts";

/** What a key is derived for; docs/encryption.md, "Host key", lists them. */
const HOST_KEY_USES = [
  /** Recognises the key again; kept in the clear beside what it protects. */
  "check",
  /** Sessions, prekeys, opened envelopes and what else an end of the encryption remembers. */
  "key state",
  /** Messages kept for reading. */
  "conversations",
] as const;
type HostKeyUse = (typeof HOST_KEY_USES)[number];

/** The key of this installation, under which everything secret lies on the disk. */
export interface HostKey {
  /** For key files alone (docs/encryption.md, "Key files"). */
  readonly protection: Protection & { readonly kind: "host_key" };
  /** 32 bytes for this use alone, the same at every start. */
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

/** What is noted of a key so that another one is recognised as another. */
export const checkOf = (key: HostKey): string => Buffer.from(key.keyFor("check")).toString("hex");
