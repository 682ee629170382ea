import { randomFillSync } from "node:crypto";

/** Asking the system takes as long for this many bytes as for a few. */
const POOL_BYTES = 4_096;
const LARGEST = 64;

const pool = Buffer.allocUnsafeSlow(POOL_BYTES);
let used = POOL_BYTES;

/** From the system's random number generator, a few at a time. Each byte is given out once, and is then erased. */
export function randomBytes(length: number): Uint8Array {
  if (length > LARGEST) return randomFillSync(new Uint8Array(length));
  if (used + length > POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  const bytes = new Uint8Array(pool.subarray(used, used + length));
  pool.fill(0, used, used + length);
  used += length;
  return bytes;
}
