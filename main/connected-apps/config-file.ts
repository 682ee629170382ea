import {
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { bridgeError } from "../../app/bridge/client-bridge.ts";

const MAX_BYTES = 8 * 1024 * 1024;
/** For a file that we create: such files often hold keys. */
const PRIVATE = 0o600;

/**
 * The text of a program's configuration; null if there is no file.
 * @throws BridgeError `config_unreadable` for what is no file, too large, not UTF-8 or not readable
 */
export function readConfig(path: string): string | null {
  try {
    const file = target(path);
    if (file === null) return null;
    const stat = lstatSync(file);
    if (!stat.isFile() || stat.size > MAX_BYTES) throw bridgeError("config_unreadable");
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(file));
  } catch {
    throw bridgeError("config_unreadable");
  }
}

/**
 * Replaces the whole file, so that no reader ever sees half of it; a link stays a link, and the file
 * keeps its mode. Null removes the file.
 * @throws BridgeError `config_changed` if it is not what it was, `file_unwritable`
 */
export function writeConfig(path: string, text: string | null, before: string | null): void {
  try {
    replace(path, text, before);
  } catch (error) {
    throw bridgeError.is(error) ? error : bridgeError("file_unwritable");
  }
}

function replace(path: string, text: string | null, before: string | null): void {
  const present = target(path);
  const file = present ?? path;
  const aside = `${file}.consentry-new`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    if (text !== null) {
      rmSync(aside, { force: true });
      const mode = present === null ? PRIVATE : lstatSync(file).mode & 0o777;
      const opened = openSync(aside, "wx", mode);
      try {
        writeFileSync(opened, text);
        fsyncSync(opened);
      } finally {
        closeSync(opened);
      }
    }
    if (readConfig(path) !== before) throw bridgeError("config_changed");
    if (text === null) rmSync(file);
    else renameSync(aside, file);
  } finally {
    rmSync(aside, { force: true });
  }
}

/** The file that a link leads to: people keep such files in a folder of their own. */
function target(path: string): string | null {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat === undefined ? null : realpathSync(path);
}
