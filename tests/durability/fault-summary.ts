import type { PointEnd } from "./fault-bench.ts";
import type { Fault } from "./fault-control.ts";
import type { FaultStart } from "./fault-starts.ts";

export interface FaultPoint extends Fault {
  readonly start: FaultStart["name"];
}

/** Counts since the beginning of the run. */
export interface FaultSummary {
  readonly points: number;
  /** Points at which something really failed. */
  readonly injected_points: number;
  /** Number of system calls that failed. */
  readonly injected_calls: number;
  readonly acknowledged: number;
  readonly answered_audit_unavailable: number;
  readonly openings_refused: number;
  readonly closings_refused: number;
  /** Points at which something failed before closing, and the process continued. */
  readonly went_on_without_restart: number;
  readonly faults: readonly string[];
}

export const NOTHING_YET: FaultSummary = {
  points: 0,
  injected_points: 0,
  injected_calls: 0,
  acknowledged: 0,
  answered_audit_unavailable: 0,
  openings_refused: 0,
  closings_refused: 0,
  went_on_without_restart: 0,
  faults: [],
};

export function added(summary: FaultSummary, end: PointEnd, point: FaultPoint): FaultSummary {
  const { report, injected, fault } = end;
  const answers = report === null ? [] : [...report.during, ...report.afterwards];
  const unavailable = answers.filter(({ reason }) => reason === "audit_unavailable");
  const count = (yes: boolean | undefined): number => (yes === true ? 1 : 0);
  return {
    points: summary.points + 1,
    injected_points: summary.injected_points + count(injected > 0),
    injected_calls: summary.injected_calls + injected,
    acknowledged: summary.acknowledged + (report?.acknowledged.length ?? 0),
    answered_audit_unavailable: summary.answered_audit_unavailable + unavailable.length,
    openings_refused: summary.openings_refused + (report?.openings.length ?? 0),
    closings_refused: summary.closings_refused + count(report?.closing != null),
    went_on_without_restart: summary.went_on_without_restart + count(report?.healed),
    faults:
      fault === null ? summary.faults : [...summary.faults, `${JSON.stringify(point)}: ${fault}`],
  };
}
