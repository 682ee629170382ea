import { refusalVectors, sealedVectors } from "./envelope-vectors.ts";
import { ratchetVectors, x3dhVectors } from "./ratchet-vectors.ts";
import { identityVectors, keyFileVectors, ledgerVectors } from "./still-vectors.ts";
import { streamVectors } from "./stream-vectors.ts";

/** The files of `app/encryption/vectors`. They contain no real randomness. */
const FILES: Readonly<Record<string, () => unknown>> = {
  "identity.json": identityVectors,
  "x3dh.json": x3dhVectors,
  "envelope-sealed.json": sealedVectors,
  "envelope-ratchet.json": ratchetVectors,
  "refusals.json": refusalVectors,
  "ledger.json": ledgerVectors,
  "key-file.json": keyFileVectors,
  "stream.json": streamVectors,
};

/** Each file's name and text. */
export async function makeVectors(): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  for (const [name, make] of Object.entries(FILES)) {
    files.set(name, `${JSON.stringify(await make(), null, 2)}\n`);
  }
  return files;
}
