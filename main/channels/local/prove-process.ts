import { readFileSync, statSync, writeFileSync } from "node:fs";
import { sha256Hex } from "../../../app/contract/digest.ts";

/** Linux cuts a process's name after 15 bytes. */
const NAME_BYTES = 15;
const OWN_NAME = "/proc/self/comm";

/**
 * The name that a process gives itself for a moment, to prove that it is at the other end of a
 * connection: Linux lets no process name another. The socket's own number is part of it, so that a
 * program between the two cannot pass a proof for its own socket on to ours.
 */
export function provenName(nonce: string, address: string): string {
  const { dev, ino } = statSync(address, { bigint: true });
  const digest = Buffer.from(sha256Hex(`${nonce} ${dev} ${ino}`), "hex").toString("base64url");
  return digest.slice(0, NAME_BYTES);
}

/** In the process that proves itself: takes the name, and gives the function that restores the old one. */
export function takeName(name: string): () => void {
  const before = readFileSync(OWN_NAME, "utf8").trimEnd();
  writeFileSync(OWN_NAME, name);
  return () => writeFileSync(OWN_NAME, before);
}
