import { readdirSync, rmdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { anchorFile } from "./anchor-place.ts";

/**
 * Names of what the program puts into its data folder: its folders, and its files with what SQLite keeps
 * beside, what was set aside, and those that were being replaced.
 */
const OURS =
  /^(?:(?:programs|updates|electron)$|(?:(?:consentry|hub)\.db|host\.key|identity\.key|connected-apps\.json|instance\.lock|(?:hub|hooks|mcp)\.url|owner\.token|[\w-]+\.sock|former-log)(?:$|[.-]))/;

/**
 * Deletes what the program stored, when nothing of it runs any more. The person may have named a folder
 * that holds other things too: those stay. Throws nothing: what cannot be deleted is returned.
 *
 * @param anchors the folder of anchors outside the data folder; null: there is none
 */
export function eraseData(dataDir: string, anchors: string | null): readonly string[] {
  const left: string[] = [];
  const erase = (path: string): void => {
    try {
      rmSync(path, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
    } catch {
      left.push(path);
    }
  };
  if (anchors !== null) erase(anchorFile(anchors, dataDir));
  for (const name of readdirSync(dataDir)) if (OURS.test(name)) erase(join(dataDir, name));
  try {
    rmdirSync(dataDir);
  } catch {
    // Something else is in it.
  }
  return left;
}
