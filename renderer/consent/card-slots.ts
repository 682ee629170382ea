import type { ReceivedCard } from "../state/store.ts";

/** How long the place of an answered card stays empty before the others close up. */
export const EMPTY_PLACE_MS = 400;

/** A card's place on the screen. It outlives the card a little, so that nothing jumps. */
export interface Slot {
  readonly received: ReceivedCard;
  /** When the card went (milliseconds, monotonic); null while it waits. */
  readonly gone_at: number | null;
}

export const isDrawn = ({ gone_at }: Slot): boolean => gone_at === null;
const isEmpty = (slot: Slot): boolean => !isDrawn(slot);

const isSame = (slot: Slot, received: ReceivedCard): boolean =>
  slot.received.card.request_id === received.card.request_id;

/** How many empty places are held at most; an agent may ask without end under a resting pointer. */
const HELD_PLACES = 8;

/**
 * The places after the host said which cards wait: those on the screen keep their order, gone ones
 * stay empty for a while, new ones come last and never before the one being read (contract §11).
 * While the pointer is over them (`held`) a place stays empty, so that no card comes under it. Where
 * all are empty they close up first: the next card then appears where it stays.
 */
export function nextSlots(
  slots: readonly Slot[],
  waiting: readonly ReceivedCard[],
  now: number,
  held = false,
): readonly Slot[] {
  const after = slots.map((slot): Slot => {
    const received = waiting.find((each) => isSame(slot, each));
    return received === undefined
      ? { ...slot, gone_at: slot.gone_at ?? now }
      : { received, gone_at: null };
  });
  const stays = held && after.some(isDrawn);
  const heldFrom = stays ? after.filter(isEmpty).length - HELD_PLACES : Number.POSITIVE_INFINITY;
  let empty = 0;
  const kept = after.filter(({ gone_at }) => {
    if (gone_at === null) return true;
    empty += 1;
    return now - gone_at < EMPTY_PLACE_MS || empty > heldFrom;
  });
  if (kept.length > 0 && kept.every(isEmpty)) return kept;
  const added = waiting.filter((each) => !kept.some((slot) => isSame(slot, each)));
  return [...kept, ...added.map((received) => ({ received, gone_at: null }))];
}

/** When the first empty place is to close up (milliseconds, monotonic); null: none is. */
export function closesUpAt(slots: readonly Slot[], held = false): number | null {
  const gone = slots.flatMap(({ gone_at }) => (gone_at === null ? [] : [gone_at]));
  if (gone.length === 0 || (held && slots.some(isDrawn))) return null;
  return Math.min(...gone) + EMPTY_PLACE_MS;
}
