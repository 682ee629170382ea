import { rmSync } from "node:fs";
import { join } from "node:path";
import { lockFile } from "../../runtime/files/file-lock.ts";
import { replaceOwnFile } from "../../runtime/files/own-file.ts";
import { faultOf, startError } from "../hub-error.ts";
import type { Hub, Log, Scheduler } from "../hub-options.ts";
import { ACCESS_TOKEN_LIFE_S } from "../tokens/access-token.ts";

/** Two tokens overlap, so that a token read from the file is valid for minutes. */
const RENEW_MS = (ACCESS_TOKEN_LIFE_S * 1_000) / 2;

export interface OwnerFiles {
  /** Always contains a valid access token of the person. */
  readonly tokenFile: string;
  remove(): void;
}

/**
 * Where the owner's other programs find the hub of a data folder: `hub.url`, as the client writes it,
 * and `owner.token`. Both 0600, and deleted when the hub ends. `owner.token.lock` is locked until then,
 * which tells them from what a killed hub left behind.
 * @throws HubError "database_in_use"
 */
export async function writeOwnerFiles(
  hub: Hub,
  dataDir: string,
  scheduler: Scheduler,
  log: Log,
): Promise<OwnerFiles> {
  const urlFile = join(dataDir, "hub.url");
  const tokenFile = join(dataDir, "owner.token");
  const unlock = lockFile(`${tokenFile}.lock`);
  if (unlock === null) throw startError("database_in_use", dataDir);
  let cancel: () => void = () => undefined;
  let removed = false;
  const renew = async (): Promise<void> => {
    const token = await hub.issueAccessToken();
    if (removed) return;
    writeWhole(tokenFile, token);
    cancel = scheduler.after(RENEW_MS, () => {
      renew().catch((error: unknown) => log({ code: "token_not_renewed", fault: faultOf(error) }));
    });
  };
  await renew();
  writeWhole(urlFile, hub.url);
  return {
    tokenFile,
    remove() {
      removed = true;
      cancel();
      for (const file of [urlFile, tokenFile]) rmSync(file, { force: true });
      unlock();
    },
  };
}

/** Readers see the old text or the new one, never part of one. */
const writeWhole = (file: string, line: string): void => replaceOwnFile(file, `${line}\n`);
