import type { ReceivedCard } from "../state/store.ts";

/** How long the place of an answered card stays empty before the others close up. */
export const EMPTY_PLACE_MS = 400;

/** A card's place on the screen. It outlives the card a little, so that nothing jumps. */
export interface Slot {
  readonly received: ReceivedCard;
  /** When the card went (milliseconds, monotonic); null while it waits. */
  readonly gone_at: number | null;
}

const isSame = (slot: Slot, received: ReceivedCard): boolean =>
  slot.received.card.request_id === received.card.request_id;

/**
 * The places after the host said which cards wait: those on the screen keep their order, gone ones
 * stay empty for a while, new ones come last and never before the one being read (contract §11).
 */
export function nextSlots(
  slots: readonly Slot[],
  waiting: readonly ReceivedCard[],
  now: number,
): readonly Slot[] {
  const kept = slots.flatMap((slot): readonly Slot[] => {
    const received = waiting.find((each) => isSame(slot, each));
    if (received !== undefined) return [{ received, gone_at: null }];
    const gone_at = slot.gone_at ?? now;
    return now - gone_at < EMPTY_PLACE_MS ? [{ ...slot, gone_at }] : [];
  });
  const added = waiting.filter((each) => !slots.some((slot) => isSame(slot, each)));
  return [...kept, ...added.map((received) => ({ received, gone_at: null }))];
}

/** When the first empty place is to close up (milliseconds, monotonic); null: none is empty. */
export function closesUpAt(slots: readonly Slot[]): number | null {
  const gone = slots.flatMap(({ gone_at }) => (gone_at === null ? [] : [gone_at]));
  return gone.length === 0 ? null : Math.min(...gone) + EMPTY_PLACE_MS;
}
