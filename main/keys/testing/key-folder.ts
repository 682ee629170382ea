import { createHash } from "node:crypto";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { nodePrimitives } from "../../../runtime/crypto/node-primitives.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import type { HostKey } from "../host-key.ts";
import { HOST_KEY_FILE, type HostKeyOptions, openHostKey } from "../open-host-key.ts";

/** A data folder for one test, with its `host.key`. */
export class KeyFolder {
  readonly path = scratchFolder();
  readonly file = join(this.path, HOST_KEY_FILE);

  open(changes: Partial<HostKeyOptions> = {}) {
    return openHostKey({
      dataDir: this.path,
      noted: null,
      crypto: nodePrimitives,
      vault: null,
      passphrase: { given: null, ask: null },
      deriveKey: quickKey,
      ...changes,
    });
  }

  bytes = (): Buffer => readFileSync(this.file);
  holds = ({ protection }: HostKey): boolean => this.bytes().includes(Buffer.from(protection.key));
  put = (bytes: Uint8Array): void => writeFileSync(this.file, bytes);
  names = (): readonly string[] => readdirSync(this.path);
}

/** Replaces Argon2id, which takes seconds, in tests of something else. */
export const quickKey = (password: string, salt: Uint8Array): Uint8Array =>
  new Uint8Array(createHash("sha256").update(password).update(salt).digest());
