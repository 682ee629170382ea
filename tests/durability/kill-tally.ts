import { STAGES, type Stage } from "./writer-lines.ts";
import type { WriterEnd } from "./writer-process.ts";

/** Counts since the beginning of the run. */
export interface KillReport {
  readonly cycles: number;
  readonly acknowledged: number;
  /** Records read again and found as promised, or as their chain says. */
  readonly checked: number;
  readonly interrupted: number;
  readonly folders: number;
  readonly full_checks: number;
  /** Records in full checks. */
  readonly fully_checked: number;
  readonly ended_before_the_kill: number;
  /** How many were killed in each stage. */
  readonly killed_while: Readonly<Record<Stage, number>>;
  readonly faults: readonly string[];
}

/** Adds up the reports of writers. */
export class KillTally {
  started = 0;
  report: KillReport = {
    cycles: 0,
    acknowledged: 0,
    checked: 0,
    interrupted: 0,
    folders: 0,
    full_checks: 0,
    fully_checked: 0,
    ended_before_the_kill: 0,
    killed_while: noneKilled(),
    faults: [],
  };

  start(): void {
    this.started += 1;
  }

  folder(): void {
    this.report = { ...this.report, folders: this.report.folders + 1 };
  }

  killed(end: WriterEnd, folder: string): void {
    this.#found(end, folder);
    const { killed_while, cycles, ended_before_the_kill } = this.report;
    this.report = {
      ...this.report,
      cycles: cycles + 1,
      ended_before_the_kill: ended_before_the_kill + (end.killed ? 0 : 1),
      killed_while: end.killed
        ? { ...killed_while, [end.stage]: killed_while[end.stage] + 1 }
        : killed_while,
    };
  }

  checkedWhole(end: WriterEnd, folder: string): void {
    this.#found(end, folder);
    const { full_checks, fully_checked } = this.report;
    this.report = {
      ...this.report,
      full_checks: full_checks + 1,
      fully_checked: fully_checked + (end.checked?.verified ?? 0),
    };
  }

  #found({ checked, acknowledged, fault }: WriterEnd, folder: string): void {
    const { report } = this;
    this.report = {
      ...report,
      acknowledged: report.acknowledged + acknowledged.length,
      checked: report.checked + (checked?.records ?? 0),
      interrupted: report.interrupted + (checked?.interrupted ?? 0),
      faults: fault === null ? report.faults : [...report.faults, `${folder}: ${fault}`],
    };
  }
}

const noneKilled = (): Record<Stage, number> =>
  // One entry for each stage, so the keys are complete.
  Object.fromEntries(STAGES.map((stage) => [stage, 0])) as Record<Stage, number>;
