/** Regenerates `app/encryption/vectors`: `node tests/vectors/encryption-vectors.ts`. */
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { makeVectors } from "./make-vectors.ts";

const folder = fileURLToPath(new URL("../../app/encryption/vectors/", import.meta.url));
mkdirSync(folder, { recursive: true });
for (const [name, text] of await makeVectors()) writeFileSync(folder + name, text);
