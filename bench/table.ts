import type { Environment } from "./environment.ts";
import type { Comparison, ReportRow } from "./report.ts";

const TIMES = ["", "in flight", "p50 ms", "p95 ms", "p99 ms", "calls/s"];
const RATIO = "× peer (min/med/max)";
const CPU = "cpu ms";

/** Aligned plain text: the first column to the left, numbers to the right. */
export function tableOf(rows: readonly ReportRow[]): string {
  const hasCpu = rows.some(({ cpu_ms }) => cpu_ms !== null);
  const head = [...TIMES, ...(hasCpu ? [CPU] : []), RATIO];
  const lines = [head, ...rows.map((row) => cellsOf(row, hasCpu))];
  const widths = head.map((_, column) =>
    Math.max(...lines.map((cells) => cells[column]?.length ?? 0)),
  );
  const drawn = lines.map((cells) =>
    cells
      .map((cell, column) =>
        column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join("  ")
      .trimEnd(),
  );
  return drawn.join("\n");
}

function cellsOf(row: ReportRow, hasCpu: boolean): readonly string[] {
  const { ratio, cpu_ms } = row;
  return [
    row.name,
    String(row.inFlight),
    row.p50_ms.toFixed(3),
    row.p95_ms.toFixed(3),
    row.p99_ms.toFixed(3),
    row.calls_per_second.toFixed(0),
    ...(hasCpu ? [cpu_ms?.toFixed(3) ?? ""] : []),
    ratio === null ? "" : [ratio.least, ratio.median, ratio.most].map(times).join(" / "),
  ];
}

/**
 * One line each: how many times the peer's duration, in the fastest, the median and the slowest
 * round.
 */
export function comparisonLines(comparisons: readonly Comparison[]): string {
  const titles = comparisons.map(({ ours, peer }) => `${ours} ÷ ${peer}`);
  const width = Math.max(...titles.map(({ length }) => length));
  const drawn = comparisons.map(({ ratio }, at) => {
    const { least, median, most } = ratio;
    return `${(titles[at] ?? "").padEnd(width)}  ${[least, median, most].map(times).join(" / ")}`;
  });
  return ["× (min/med/max of the rounds)", ...drawn].join("\n");
}

const times = (ratio: number): string => ratio.toFixed(2);

export function environmentLine(environment: Environment): string {
  const { date, node, platform, cpus, cpu, memory, kernel, fileSystem, load, commit } = environment;
  const gib = (memory / 2 ** 30).toFixed(0);
  return `${date}, ${commit}, Node ${node}, ${platform} ${kernel}, ${cpus} × ${cpu}, ${gib} GiB, ${fileSystem}, load ${load.toFixed(2)}`;
}
