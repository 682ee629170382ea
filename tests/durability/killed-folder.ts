import { appendFileSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { GENESIS_HASH } from "../../app/audit/hash-chain.ts";
import type { ChainHead } from "../../app/audit/verify-chain.ts";
import type { BundledProgram } from "./bundle-program.ts";
import type { KillPlan } from "./kill-plan.ts";
import type { WriterOrder } from "./writer-lines.ts";
import { runWriter, type WriterEnd } from "./writer-process.ts";

const START = Date.UTC(2026, 0, 1);
const NO_PLAN = { callsAtOnce: 0, callsEach: 0, ending: "close", jumpMs: 0 } as const;

/** A data folder, and everything that its writers were promised. */
export class KilledFolder {
  readonly #folder = mkdtempSync(join(tmpdir(), "consentry-kill-"));
  readonly #acknowledgements = join(this.#folder, "acknowledged.jsonl");
  readonly #program: BundledProgram;
  readonly #stepMs: number;
  #wall = START;
  #writers = 0;
  #uncheckedFrom = 0;
  #lastChecked: ChainHead = { seq: 0, hash: GENESIS_HASH };

  /** @param stepMs how far the clock advances between writers; this determines the log's length */
  constructor(program: BundledProgram, stepMs: number) {
    this.#program = program;
    this.#stepMs = stepMs;
  }

  get path(): string {
    return this.#folder;
  }

  /** Starts a writer and kills it. */
  async kill({ does, moment }: KillPlan): Promise<WriterEnd> {
    const { stage } = moment;
    // A folder without a database is migrated rather than opened, and vice versa.
    const here =
      stage === "migrating" || stage === "opening" ? (this.fresh ? "migrating" : "opening") : stage;
    const end = await runWriter(this.#program, this.#order(does, false), {
      ...moment,
      stage: here,
    });
    this.#keep(end);
    if (end.acknowledged.length > 0)
      this.#wall += this.#stepMs + (does.ending === "purge" ? does.jumpMs : 0);
    return end;
  }

  /** Opens it once more without a kill, and compares everything. */
  async checkWhole(): Promise<WriterEnd> {
    const end = await runWriter(this.#program, this.#order(NO_PLAN, true), null);
    this.#keep(end);
    return end;
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** No writer has created a database yet. */
  get fresh(): boolean {
    return statSync(join(this.#dataDir, "consentry.db"), { throwIfNoEntry: false }) === undefined;
  }

  get #dataDir(): string {
    return join(this.#folder, "data");
  }

  #order(does: KillPlan["does"], full: boolean): WriterOrder {
    this.#writers += 1;
    return {
      ...does,
      dataDir: this.#dataDir,
      anchor: join(this.#folder, "anchor", "log.json"),
      acknowledgements: this.#acknowledgements,
      uncheckedFrom: this.#uncheckedFrom,
      lastChecked: this.#lastChecked,
      full,
      name: `writer${this.#writers}`,
      wall: this.#wall,
    };
  }

  #keep({ checked, acknowledged }: WriterEnd): void {
    if (checked !== null) {
      this.#lastChecked = checked.head;
      this.#uncheckedFrom = this.#promisedBytes;
    }
    const lines = acknowledged.map((record) => `${JSON.stringify(record)}\n`).join("");
    if (lines !== "") appendFileSync(this.#acknowledgements, lines);
  }

  get #promisedBytes(): number {
    return statSync(this.#acknowledgements, { throwIfNoEntry: false })?.size ?? 0;
  }
}
