import { randomUUID } from "node:crypto";
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
  type Stats,
  writeFileSync,
} from "node:fs";
import { dirname } from "node:path";
import { bridgeError } from "../../app/bridge/client-bridge.ts";
import { CONFIG_BYTES_MAX } from "../../app/bridge/connected-apps.ts";

/** For a file that we create: such files often hold keys. */
const PRIVATE = 0o600;
const BACKUPS_MAX = 100;

/**
 * The text of a program's configuration; null if there is no file.
 * @throws BridgeError `config_too_large`; `config_unreadable` for what is no file, not UTF-8 or not readable
 */
export function readConfig(path: string): string | null {
  try {
    const file = target(path);
    if (file === null) return null;
    const stat = lstatSync(file);
    if (!stat.isFile()) throw bridgeError("config_unreadable");
    if (stat.size > CONFIG_BYTES_MAX) throw tooLarge(stat);
    return textOf(file);
  } catch (error) {
    throw bridgeError.is(error) ? error : bridgeError("config_unreadable");
  }
}

const tooLarge = ({ size }: Stats) =>
  bridgeError("config_too_large", {
    message: `Its settings file has ${inEnglish(size)} bytes. Consentry changes files of at most ${inEnglish(CONFIG_BYTES_MAX)} bytes.`,
    details: { bytes: size },
  });

const inEnglish = (count: number): string => count.toLocaleString("en");

const textOf = (file: string): string =>
  new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(readFileSync(file));

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
  const aside = `${file}.consentry-${randomUUID()}`;
  try {
    mkdirSync(dirname(file), { recursive: true });
    if (text !== null) {
      const mode = present === null ? PRIVATE : lstatSync(file).mode & 0o777;
      create(aside, text, mode);
    }
    if (readConfig(path) !== before) throw bridgeError("config_changed");
    if (text === null) rmSync(file);
    else renameSync(aside, file);
  } finally {
    if (text !== null) rmSync(aside, { force: true });
  }
}

/** Exclusively: a link is never followed, and nothing is replaced. */
function create(path: string, text: string, mode: number): void {
  const opened = openSync(path, "wx", mode);
  try {
    writeFileSync(opened, text);
    fsyncSync(opened);
  } finally {
    closeSync(opened);
  }
}

/** The file that a link leads to: people keep such files in a folder of their own. */
function target(path: string): string | null {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  return stat === undefined ? null : realpathSync(path);
}

/**
 * The first free name for a copy of this file. Earlier copies are passed over.
 * @throws BridgeError `config_backup_blocked` for a link, a folder and the like
 */
export function backupPlace(file: string): string {
  for (let count = 1; count <= BACKUPS_MAX; count += 1) {
    const place = `${file}.before-consentry${count === 1 ? "" : `-${count}`}`;
    const stat = lstatSync(place, { throwIfNoEntry: false });
    if (stat === undefined) return place;
    if (!stat.isFile()) throw blocked(place);
  }
  throw blocked(`${file}.before-consentry`);
}

/** @throws BridgeError `config_backup_blocked`, `file_unwritable` */
export function writeBackup(place: string, text: string): void {
  try {
    create(place, text, PRIVATE);
  } catch (error) {
    const isThere = error instanceof Error && "code" in error && error.code === "EEXIST";
    throw isThere ? blocked(place) : bridgeError("file_unwritable");
  }
}

const blocked = (place: string) =>
  bridgeError("config_backup_blocked", {
    message: `The file of before cannot be kept: something else is at ${place}. Move it away and try again.`,
  });

/** Null: it is gone, or something else is in its place. */
export function readBackup(place: string): string | null {
  try {
    return lstatSync(place).isFile() ? textOf(place) : null;
  } catch {
    return null;
  }
}

/** Removes a copy that the settings file is now the same as. */
export function removeBackup(place: string, text: string): void {
  if (readBackup(place) === text) rmSync(place, { force: true });
}
