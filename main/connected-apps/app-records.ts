import { join } from "node:path";
import Type, { type Static } from "typebox";
import type { AppId, AppPart } from "../../app/bridge/connected-apps.ts";
import { guardOf } from "../../app/contract/checked.ts";
import { jsonOf } from "../../app/contract/json.ts";
import { readOwnFile, replaceOwnFile } from "../../runtime/files/own-file.ts";

const FILE = "connected-apps.json";
const MAX_BYTES = 64 * 1024;

const AppRecord = Type.Object({
  file: Type.String(),
  /** SHA-256 of the text that we wrote. */
  written: Type.String(),
  /** Where the text of before is; null if there was no file. */
  backup: Type.Union([Type.String(), Type.Null()]),
});
export type AppRecord = Static<typeof AppRecord>;

const AppRecords = Type.Record(Type.String(), AppRecord);
const areRecords: (value: unknown) => value is Static<typeof AppRecords> = guardOf(AppRecords);

const keyOf = (appId: AppId, part: AppPart): string => `${appId} ${part}`;

/**
 * What we wrote into other programs' configurations. In a file of its own, because `npm run connect`
 * uses it while the program runs. One that cannot be read counts as empty: the configurations
 * themselves say what they contain.
 */
export class AppRecordFile {
  readonly #path: string;

  constructor(dataDir: string) {
    this.#path = join(dataDir, FILE);
  }

  of(appId: AppId, part: AppPart): AppRecord | undefined {
    return this.#read()[keyOf(appId, part)];
  }

  /** What was noted with the file of this digest; parts in one file have the same. */
  leftAs(file: string, written: string): AppRecord | undefined {
    const records = Object.values(this.#read());
    return records.find((record) => record.file === file && record.written === written);
  }

  /** For all parts in that file. */
  leftAgain({ file, written }: AppRecord, now: string): void {
    const records = Object.entries(this.#read()).map(([key, record]) => {
      const isLeft = record.file === file && record.written === written;
      return [key, isLeft ? { ...record, written: now } : record];
    });
    this.#write(Object.fromEntries(records));
  }

  set(appId: AppId, part: AppPart, record: AppRecord | null): void {
    const key = keyOf(appId, part);
    const { [key]: _, ...others } = this.#read();
    this.#write(record === null ? others : { ...others, [key]: record });
  }

  #write(records: Static<typeof AppRecords>): void {
    replaceOwnFile(this.#path, JSON.stringify(records), true);
  }

  #read(): Static<typeof AppRecords> {
    const bytes = readOwnFile(this.#path, MAX_BYTES);
    const records = bytes === null ? null : jsonOf(new TextDecoder().decode(bytes));
    return areRecords(records) ? records : {};
  }
}
