import type { RefObject } from "react";
import type { ConsentCard } from "../../app/bridge/views.ts";
import { type More, useMore } from "./use-more.ts";
import { useReadToEnd } from "./use-read-to-end.ts";
import { useReading } from "./use-reading.ts";

/** Where it is reported, as in the card's own actions. */
interface ReadingTold {
  reading(request_id: string): void;
  read(request_id: string): Promise<boolean>;
}

interface CardReading {
  /** Whether the card, and its middle, go on beyond their edges. */
  readonly more: More;
  readonly moreOfBody: More;
  /** False: a high one whose end was not in sight yet (contract §3). */
  readonly mayAllow: boolean;
  /** The person says that they have read it. */
  readonly say: () => void;
}

/** What the person has read of a card, as far as a page can know, and as the host is told. */
export function useCardReading(
  { request_id, sensitivity }: ConsentCard,
  parts: {
    readonly element: RefObject<HTMLElement | null>;
    readonly body: RefObject<HTMLElement | null>;
    readonly seen: boolean;
  },
  actions: ReadingTold,
): CardReading {
  const more = useMore(parts.element);
  const moreOfBody = useMore(parts.body);
  // Where the middle does not scroll by itself, the card does.
  const atEnd = parts.seen && !moreOfBody.below && (moreOfBody.above || !more.below);
  const { read, say } = useReadToEnd(atEnd, () => actions.read(request_id));
  useReading(parts.element, () => actions.reading(request_id));
  return { more, moreOfBody, mayAllow: sensitivity !== "high" || read, say };
}
