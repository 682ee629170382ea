/** Which of the waiting requests is open, and what that was decided from. */
export interface OpenRequest {
  /** Null: none waits. */
  readonly open: string | null;
  /** In the order they came. */
  readonly ids: readonly string[];
  /** Those that ended last: one that is back was put back by the person. */
  readonly ended: readonly string[];
}

export const NONE_OPEN: OpenRequest = { open: null, ids: [], ended: [] };

/** As many as can be put back at once. */
const ENDED_KNOWN = 20;

/**
 * The open request once these wait. What comes never replaces it. When it has ended, the next one in
 * the order they came is open, and after the last the first.
 */
export function openAfter(before: OpenRequest, ids: readonly string[]): OpenRequest {
  const isSame = ids.length === before.ids.length && ids.every((id, at) => id === before.ids[at]);
  if (isSame) return before;
  const ended = [...before.ended, ...before.ids]
    .filter((id) => !ids.includes(id))
    .slice(-ENDED_KNOWN);
  const back = ids.find((id) => before.ended.includes(id));
  return { open: back ?? stillOrNext(before, ids), ids, ended };
}

function stillOrNext({ open, ids: before }: OpenRequest, ids: readonly string[]): string | null {
  const from = open === null ? [] : before.slice(before.indexOf(open));
  return from.find((id) => ids.includes(id)) ?? ids[0] ?? null;
}

/** The one after (1) or before (-1) the open one, around the ends; null: there is no other. */
export function stepFrom({ open, ids }: OpenRequest, step: 1 | -1): string | null {
  if (open === null || ids.length < 2) return null;
  return ids[(ids.indexOf(open) + step + ids.length) % ids.length] ?? null;
}
