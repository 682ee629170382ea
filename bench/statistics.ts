/**
 * The value below which this share (0 to 1) of the values lies, by nearest rank; NaN if there are
 * none.
 */
export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const rank = Math.max(1, Math.ceil(share * sorted.length));
  return sorted[rank - 1] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);
