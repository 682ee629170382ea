import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { lockFile } from "../../../runtime/files/file-lock.ts";
import { dataFolder } from "./data-folder.ts";
import { askInstance, OWNER_TOKEN } from "./instance-lock.ts";

const USAGE = `Prints a short-lived access token of the owner for the hub that runs, and nothing else:
  hub token [--data-dir FOLDER]`;

export interface Outputs {
  readonly stdout: (line: string) => void;
  readonly stderr: (line: string) => void;
}

/**
 * `hub token`: for the owner's scripts. The program that runs on the data folder issues it over its
 * private socket, which only this account can open.
 * @returns exit code: 0, 1 when nothing runs or it gives none, 2 for flags it does not take
 */
export async function runOwnerToken(
  argv: readonly string[],
  { stdout, stderr }: Outputs,
): Promise<0 | 1 | 2> {
  const dataDir = dataDirIn(argv);
  if (dataDir === null) {
    stderr(USAGE);
    return 2;
  }
  const token = await ownerToken(dataDir);
  if (token === null) {
    stderr(`No token (not_running): no hub that gives one runs on ${dataDir}.`);
    return 1;
  }
  stdout(token);
  return 0;
}

/** Null when nothing that gives one runs on the folder. */
export const ownerToken = async (dataDir: string): Promise<string | null> =>
  (await askInstance(dataDir, OWNER_TOKEN)) ?? tokenOfHubAlone(dataDir);

function dataDirIn(argv: readonly string[]): string | null {
  try {
    const options = { "data-dir": { type: "string" } } as const;
    return dataFolder(parseArgs({ args: [...argv], options }).values["data-dir"] ?? null);
  } catch {
    return null;
  }
}

/** `npm run hub` keeps one in a file. A hub that was killed leaves the file behind, but not the lock. */
function tokenOfHubAlone(dataDir: string): string | null {
  const file = join(dataDir, "owner.token");
  if (!existsSync(file)) return null;
  const release = lockFile(`${file}.lock`);
  release?.();
  return release === null ? readFileSync(file, "utf8").trim() : null;
}
