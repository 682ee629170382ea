/** What is remembered of the starts of the version that is installed. */
export interface StartRecord {
  readonly version: string;
  /** Whether it has been ready once; from then on it is not given up. */
  readonly ready: boolean;
  /** Starts that were not ready so far. */
  readonly begun: number;
  /** The version before it; null: unknown. */
  readonly before: string | null;
  /** Versions that were given up, oldest first. */
  readonly failed: readonly string[];
}

/** Starts after which a new version that was never ready is given up. */
const STARTS_GIVEN = 2;
const FAILED_KEPT = 10;

export interface StartJudgement {
  readonly record: StartRecord;
  readonly act: "first" | "go_on" | "go_back";
}

/**
 * Decides at each start, before anything else of the program runs.
 * @param canGoBack whether the version before can be put back here
 */
export function judgeStart(
  last: StartRecord | null,
  version: string,
  canGoBack: boolean,
): StartJudgement {
  if (last === null || last.version !== version) {
    const before = last?.version ?? null;
    const failed = last?.failed ?? [];
    return { record: { version, ready: false, begun: 1, before, failed }, act: "first" };
  }
  if (last.ready) return { record: last, act: "go_on" };
  const isBeforeGood = last.before !== null && !last.failed.includes(last.before);
  if (last.begun >= STARTS_GIVEN && canGoBack && isBeforeGood) {
    const failed = [...last.failed, version].slice(-FAILED_KEPT);
    return { record: { ...last, failed }, act: "go_back" };
  }
  return { record: { ...last, begun: last.begun + 1 }, act: "go_on" };
}
