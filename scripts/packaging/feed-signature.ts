import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { load } from "js-yaml";
import { signedText } from "../../app/updates/judge-feed.ts";

/** The lists of versions, as the packager names them: by channel, and by system but for Windows. */
const LISTS = "{latest,beta}*.yml";

/**
 * Signs every list of versions in a folder, each into a file beside it.
 *
 * @param privateKey Ed25519, as PEM
 * @param percent the share of installations that gets the version; null: as the lists say
 * @returns the names of the lists
 * @throws Error where there is no list, or no such key
 */
export function signLists(
  folder: string,
  privateKey: string,
  percent: number | null = null,
): readonly string[] {
  const key = createPrivateKey(privateKey);
  if (key.asymmetricKeyType !== "ed25519") throw new Error("The key is not an Ed25519 key.");
  const lists = globSync(LISTS, { cwd: folder }).sort();
  if (lists.length === 0) throw new Error(`There are no lists of versions in ${folder}.`);
  for (const list of lists) {
    const path = join(folder, list);
    if (percent !== null) writeFileSync(path, staged(readFileSync(path, "utf8"), percent));
    const text = readFileSync(path, "utf8");
    const signature = sign(null, Buffer.from(signedText(list, text)), key);
    writeFileSync(`${path}.sig`, `${signature.toString("base64")}\n`);
  }
  return lists;
}

/** The key that belongs to it: 32 bytes in base64. */
export function feedPublicKey(privateKey: string): string {
  const { x = "" } = createPublicKey(privateKey).export({ format: "jwk" });
  return Buffer.from(x, "base64url").toString("base64");
}

function staged(text: string, percent: number): string {
  if (!Number.isInteger(percent) || percent < 1 || percent > 100) {
    throw new Error("The percentage is a whole number from 1 to 100.");
  }
  const rest = text
    .split("\n")
    .filter((line) => !line.startsWith("stagingPercentage:"))
    .join("\n");
  const next = `${rest.trimEnd()}\nstagingPercentage: ${percent}\n`;
  // The list is still one: what follows is the last key of its top level.
  load(next);
  return next;
}
