/** What the program did that no page can see, in order. */
export interface RecordEntry {
  readonly what: string;
  /** Id of the window it was done to, where there is one. */
  readonly window?: number;
  readonly detail?: unknown;
}

const entries: RecordEntry[] = [];

export function record(entry: RecordEntry): void {
  entries.push(entry);
}

export const recorded = (): readonly RecordEntry[] => entries;
