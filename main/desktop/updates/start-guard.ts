import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import Type from "typebox";
import { guardOf } from "../../../app/contract/checked.ts";
import { judgeStart, type StartRecord } from "../../../app/updates/judge-start.ts";
import { readOwnFile, replaceOwnFile } from "../../../runtime/files/own-file.ts";
import type { StartGuard } from "../../client/host-port.ts";
import { copyDatabases, restoreMigrated } from "../../storage/copied-databases.ts";
import type { PreviousPackage, Relaunch } from "./previous-package.ts";

const isStartRecord: (value: unknown) => value is StartRecord = guardOf(
  Type.Object({
    version: Type.String(),
    ready: Type.Boolean(),
    begun: Type.Integer({ minimum: 1 }),
    before: Type.Union([Type.String(), Type.Null()]),
    failed: Type.Array(Type.String()),
  }),
);
const RECORD_BYTES = 4_096;

/** Gives up a new version that does not start, and puts the one before back with its databases. */
export function startGuard(parts: {
  readonly dataDir: string;
  /** One of ours. */
  readonly folder: string;
  readonly version: string;
  readonly previous: PreviousPackage;
  readonly relaunch: (wanted: Relaunch) => void;
}): StartGuard & { failed(): readonly string[] } {
  const { dataDir, folder, version, previous } = parts;
  const file = join(folder, "starts.json");
  const copies = join(folder, "databases");
  const last = readRecord(file);
  const { record, act } = judgeStart(last, version, previous.isKept());
  const write = (next: StartRecord) => replaceOwnFile(file, JSON.stringify(next), true);
  return {
    begin() {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      if (act === "go_back") {
        restoreMigrated(dataDir, copies);
        const wanted = previous.putBack();
        write(record);
        parts.relaunch(wanted);
        return false;
      }
      if (act === "first" && last !== null) copyDatabases(dataDir, copies);
      write(record);
      return true;
    },
    ready() {
      write({ ...record, ready: true });
      rmSync(copies, { recursive: true, force: true });
    },
    gaveUp:
      act === "first" && record.before !== null && record.failed.includes(record.before)
        ? record.before
        : null,
    failed: () => record.failed,
  };
}

/** A damaged one counts as none: this version then has its two starts again. */
function readRecord(file: string): StartRecord | null {
  try {
    const bytes = readOwnFile(file, RECORD_BYTES);
    const record: unknown = bytes === null ? null : JSON.parse(Buffer.from(bytes).toString());
    return isStartRecord(record) ? record : null;
  } catch {
    return null;
  }
}
