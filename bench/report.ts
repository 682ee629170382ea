import type { Measured } from "./interleave.ts";
import type { Turn } from "./measure.ts";
import { median, quantile } from "./statistics.ts";
import type { Mode } from "./subjects/subject.ts";

/** How many times the peer's time; below 1 is faster than the peer. Of the rounds' own ratios. */
export interface Ratio {
  readonly least: number;
  readonly median: number;
  readonly most: number;
}

export interface ReportRow {
  readonly name: string;
  readonly inFlight: Mode;
  readonly calls: number;
  /** Milliseconds of a call, over all rounds. */
  readonly p50_ms: number;
  readonly p95_ms: number;
  readonly p99_ms: number;
  /** The median round's. */
  readonly calls_per_second: number;
  /** Null for the peer itself, for what is no whole read, and where there is no peer. */
  readonly ratio: Ratio | null;
}

/** How many times `peer`'s time `ours` takes, one at a time. */
export interface Comparison {
  readonly ours: string;
  readonly peer: string;
  readonly ratio: Ratio;
}

/** Pairs of subjects that were measured one at a time, in the same rounds. */
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
 * `ours` is compared with `peer`, round by round: a round's two turns saw the same machine. Null
 * where the table compares nothing.
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
      ratio:
        peer === undefined || subject.name !== pair?.ours ? null : ratioOf(turns, peer.turns, mode),
    };
  });
}

const callsPerSecond = ({ samples_ms, elapsed_ms }: Turn): number =>
  (samples_ms.length * 1_000) / elapsed_ms;

/** One at a time a call's median counts; with many in flight the time until all are through. */
function ratioOf(ours: readonly Turn[], theirs: readonly Turn[], mode: Mode): Ratio {
  const time = ({ samples_ms, elapsed_ms }: Turn) => (mode === 1 ? median(samples_ms) : elapsed_ms);
  const ratios = ours.flatMap((turn, round) => {
    const other = theirs[round];
    return other === undefined ? [] : [time(turn) / time(other)];
  });
  return { least: Math.min(...ratios), median: median(ratios), most: Math.max(...ratios) };
}
