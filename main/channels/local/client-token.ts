import { join } from "node:path";
import envPaths from "env-paths";
import { sha256Hex } from "../../../app/contract/digest.ts";
import { makeOwnFolder, readOwnFile, replaceOwnFile } from "../../../runtime/files/own-file.ts";

/** 256 bits, chosen by the client. */
export const TOKEN_PATTERN = "^[A-Za-z0-9_-]{43}$";

/** Bytes of a file that holds a token and a line's end. */
const TOKEN_FILE_BYTES = 64;
const TOKEN_BYTES = 32;

/** Where clients on this computer keep their tokens: with the person's settings, not with our data. */
export const tokenFolder = (): string => envPaths("consentry-clients", { suffix: "" }).config;

/** What a client keeps by itself has its token's name and an ending. */
export const tokenFile = (folder: string, name: string, dataDir: string): string =>
  join(folder, `${sha256Hex(JSON.stringify([name, dataDir])).slice(0, 32)}.token`);

/**
 * A client's own token (0600), made at its first start: one for each name and data folder.
 * @throws OwnFileError, or what the file system throws
 */
export function clientToken(folder: string, name: string, dataDir: string): string {
  const file = tokenFile(folder, name, dataDir);
  makeOwnFolder(folder);
  const bytes = readOwnFile(file, TOKEN_FILE_BYTES);
  const kept = bytes === null ? "" : Buffer.from(bytes).toString().trim();
  if (new RegExp(TOKEN_PATTERN).test(kept)) return kept;
  // The global one: to load `node:crypto` takes a quarter of Node's own start, and a hook mostly needs none.
  const token = Buffer.from(crypto.getRandomValues(new Uint8Array(TOKEN_BYTES))).toString(
    "base64url",
  );
  replaceOwnFile(file, `${token}\n`);
  return token;
}
