import { type RefObject, useEffect, useRef, useState } from "react";
import type { ReceivedCard } from "../state/store.ts";
import type { OpenRequest } from "./open-request.ts";
import { useOpenRequest } from "./use-open-request.ts";

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
