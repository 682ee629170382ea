import type { Measured } from "./interleave.ts";
import type { Turn } from "./measure.ts";
import { median, quantile } from "./statistics.ts";
import type { Mode } from "./subjects/subject.ts";

/** From the rounds' own values: how many times the peer's duration, or how much is added to it. */
export interface Ratio {
  readonly least: number;
  readonly median: number;
  readonly most: number;
}

export interface ReportRow {
  readonly name: string;
  readonly inFlight: Mode;
  readonly calls: number;
  /** Milliseconds per call, over all rounds. */
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly p99_ms: number;
  /** In the median round. */
  readonly calls_per_second: number;
  /**
   * CPU time per call in the median round; null if it is not wanted, or other processes
   * contributed.
   */
  readonly cpu_ms: number | null;
  /** Null for the peer itself, for anything but complete reads, and if there is no peer. */
  readonly ratio: Ratio | null;
}

/** How many times `peer`'s duration `ours` takes, one call at a time. */
export interface Comparison {
  readonly ours: string;
  readonly peer: string;
  readonly ratio: Ratio;
}

/** Pairs of subjects measured one call at a time, in the same rounds. */
export function compare(
  measured: readonly Measured[],
  pairs: readonly (readonly [ours: string, peer: string])[],
): readonly Comparison[] {
  const turnsOf = (name: string): readonly Turn[] =>
    measured.find(({ subject, mode }) => subject.name === name && mode === 1)?.turns ?? [];
  return pairs.map(([ours, peer]) => {
    return { ours, peer, ratio: ratioOf(turnsOf(ours), turnsOf(peer), 1) };
  });
}

/**
 * Compares `ours` with `peer` round by round, because both turns of a round ran under the same
 * conditions. Null if the table has no comparison.
 */
export function reportOf(
  measured: readonly Measured[],
  pair: { readonly ours: string; readonly peer: string } | null,
): readonly ReportRow[] {
  return measured.map(({ subject, mode, turns }) => {
    const samples = turns.flatMap(({ samples_ms }) => samples_ms);
    const peer = measured.find((other) => other.subject.name === pair?.peer && other.mode === mode);
    return {
      name: subject.name,
      inFlight: mode,
      calls: samples.length,
      p50_ms: quantile(samples, 0.5),
      p95_ms: quantile(samples, 0.95),
      p99_ms: quantile(samples, 0.99),
      calls_per_second: median(turns.map(callsPerSecond)),
      cpu_ms: null,
      ratio:
        peer === undefined || subject.name !== pair?.ours ? null : ratioOf(turns, peer.turns, mode),
    };
  });
}

/** Adds CPU time per call to the rows. */
export const withCpu = (
  rows: readonly ReportRow[],
  measured: readonly Measured[],
): readonly ReportRow[] =>
  rows.map((row, at) => ({ ...row, cpu_ms: median((measured[at]?.turns ?? []).map(cpuOfCall)) }));

export const cpuOfCall = ({ samples_ms, cpu_ms }: Turn): number => cpu_ms / samples_ms.length;

/**
 * How much longer `ours` takes than `peer` in the same round, in milliseconds of the median call.
 */
export function differenceOf(
  ours: readonly Turn[],
  peer: readonly Turn[],
  of: (turn: Turn) => number = ({ samples_ms }) => median(samples_ms),
): Ratio {
  const rounds = ours.flatMap((turn, round) => {
    const other = peer[round];
    return other === undefined ? [] : [of(turn) - of(other)];
  });
  return spread(rounds);
}

const callsPerSecond = ({ samples_ms, elapsed_ms }: Turn): number =>
  (samples_ms.length * 1_000) / elapsed_ms;

/** One call at a time: the median duration. Many in flight: the time until all have finished. */
function ratioOf(ours: readonly Turn[], theirs: readonly Turn[], mode: Mode): Ratio {
  const time = ({ samples_ms, elapsed_ms }: Turn) => (mode === 1 ? median(samples_ms) : elapsed_ms);
  const ratios = ours.flatMap((turn, round) => {
    const other = theirs[round];
    return other === undefined ? [] : [time(turn) / time(other)];
  });
  return spread(ratios);
}

const spread = (values: readonly number[]): Ratio => ({
  least: Math.min(...values),
  median: median(values),
  most: Math.max(...values),
});
