import { type RefObject, useEffect, useRef, useState } from "react";
import type { ReceivedCard } from "../state/store.ts";

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

/** The open one of the waiting requests, and the person's choice of another. */
function useOpenRequest(ids: readonly string[]): {
  readonly request: OpenRequest;
  readonly choose: (request_id: string) => void;
} {
  const [known, setKnown] = useState<OpenRequest>(NONE_OPEN);
  // While rendering: no frame shows the list without an open card.
  const request = openAfter(known, ids);
  if (request !== known) setKnown(request);
  return { request, choose: (open) => setKnown((before) => ({ ...before, open })) };
}

/** Milliseconds that the cards' place stays after the last answer: a second press hits nothing. */
const LINGERS_MS = 400;

export interface CardList {
  readonly list: RefObject<HTMLDivElement | null>;
  readonly waiting: readonly ReceivedCard[];
  readonly request: OpenRequest;
  readonly choose: (request_id: string) => void;
  /** Something waits, or did a moment ago. */
  readonly isThere: boolean;
}

/** The waiting requests, and which of them is open. */
export function useCardList(waiting: readonly ReceivedCard[]): CardList {
  const list = useRef<HTMLDivElement>(null);
  const { request, choose } = useOpenRequest(waiting.map(({ card }) => card.request_id));
  const isThere = useLingering(waiting.length > 0);
  return { list, waiting, request, choose, isThere };
}

function useLingering(waits: boolean): boolean {
  const [lingers, setLingers] = useState(waits);
  useEffect(() => {
    if (waits) {
      setLingers(true);
      return;
    }
    const timer = setTimeout(() => setLingers(false), LINGERS_MS);
    return () => clearTimeout(timer);
  }, [waits]);
  return waits || lingers;
}
