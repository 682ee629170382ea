import {
  appendFileSync,
  createReadStream,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { purgeBefore } from "../../../../app/audit/retention.ts";
import type { FormerLog } from "../../../../app/bridge/own-data-calls.ts";
import { openToRead } from "../../../../runtime/files/own-file.ts";
import type { OutgoingFile } from "../../host-port.ts";
import { fileStamp } from "../file-stamp.ts";

const NAME = /^former-log-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.jsonl$/;
const COMING = "former-log.part";

/**
 * Logs of imported files, each a file of its own beside the program's log and never a part of its chain: what
 * verified when it was imported still verifies. Like records, they are purged when they are too old.
 */
export class FormerLogs {
  readonly #folder: string;
  readonly #coming: string;

  /**
   * Before any import: what an earlier start's import left unfinished is deleted.
   * @param folder the data folder
   */
  constructor(folder: string) {
    this.#folder = folder;
    this.#coming = join(folder, COMING);
    this.#discard();
  }

  begin(): void {
    this.#discard();
    writeFileSync(this.#coming, "", { mode: 0o600, flag: "wx" });
  }

  add(lines: readonly string[]): void {
    appendFileSync(this.#coming, lines.map((line) => `${line}\n`).join(""));
  }

  /** @param until when its last record was made; null: it has none */
  keep(until: number | null): void {
    if (until === null) this.#discard();
    else renameSync(this.#coming, join(this.#folder, `former-log-${fileStamp(until)}.jsonl`));
  }

  #discard(): void {
    rmSync(this.#coming, { force: true });
  }

  list(): readonly FormerLog[] {
    return readdirSync(this.#folder).flatMap((name) => {
      const until = untilOf(name);
      return until === null ? [] : [{ name, until }];
    });
  }

  /** Null: there is none of this name. */
  file(name: string): OutgoingFile | null {
    if (!this.list().some((log) => log.name === name)) return null;
    return {
      name: `consentry-${name}`,
      mediaType: "application/x-ndjson; charset=utf-8",
      open: (signal) => createReadStream("", { fd: openToRead(join(this.#folder, name)), signal }),
    };
  }

  /** Deletes those whose last record is too old. */
  purge(now: number, retentionMs?: number): void {
    const before = purgeBefore(now, retentionMs);
    for (const { name, until } of this.list()) {
      if (until < before) rmSync(join(this.#folder, name), { force: true });
    }
  }
}

function untilOf(name: string): number | null {
  const [, ...parts] = NAME.exec(name) ?? [];
  if (parts.length === 0) return null;
  const [year, month, day, hour, minute, second] = parts;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? null : time;
}
