import type { ReceivedCard } from "../state/store.ts";

/** How long an answered card's slot stays empty before the others move up. */
export const EMPTY_PLACE_MS = 400;

/** A card's place on the screen. It stays a little longer than the card, so that nothing jumps. */
export interface Slot {
  readonly received: ReceivedCard;
  /** When the card was removed (milliseconds, monotonic); null while it is waiting. */
  readonly gone_at: number | null;
}

export const isDrawn = ({ gone_at }: Slot): boolean => gone_at === null;
const isEmpty = (slot: Slot): boolean => !isDrawn(slot);

const isSame = (slot: Slot, received: ReceivedCard): boolean =>
  slot.received.card.request_id === received.card.request_id;

/**
 * Maximum number of empty slots kept, because an agent may ask without end under a resting pointer.
 */
const HELD_PLACES = 8;

/**
 * The slots after the host said which cards are waiting. Visible cards keep their order, removed
 * ones leave an empty slot for a while, and new ones come last, never before the one being read
 * (contract §11). While the pointer is over them (`held`), slots stay empty, so that no card moves
 * under it. If all are empty, they are removed first, so that the next card appears in its final
 * place.
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

/** When the first empty slot will be removed (milliseconds, monotonic); null: there is none. */
export function closesUpAt(slots: readonly Slot[], held = false): number | null {
  const gone = slots.flatMap(({ gone_at }) => (gone_at === null ? [] : [gone_at]));
  if (gone.length === 0 || (held && slots.some(isDrawn))) return null;
  return Math.min(...gone) + EMPTY_PLACE_MS;
}
