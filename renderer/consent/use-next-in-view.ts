import { type RefObject, useEffect, useRef } from "react";
import { LIMITS } from "../../app/contract/limits.ts";
import { isDrawn, type Slot } from "./card-slots.ts";
import { isElsewhere } from "./is-elsewhere.ts";

/**
 * After an answer, the keyboard is at the next card's heading, and that card is scrolled into view:
 * its time begins when it is seen, and nobody should have to look for it. It may come under the pointer, so presses there count only
 * after the time that an approval waits too; the second click of a double click answers nothing.
 *
 * @param docked the keyboard stays with the page beside the list, if that has it
 */
export function useNextInView(
  list: RefObject<HTMLElement | null>,
  slots: readonly Slot[],
  docked = false,
): void {
  const before = useRef(0);
  const scrolledAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const count = slots.filter(isDrawn).length;
    const isAnswered = count < before.current;
    before.current = count;
    const holder = list.current;
    const next = holder && nextCard(holder);
    if (!isAnswered || !next) return;
    const take = (): void => {
      if (!docked || !isElsewhere(holder)) focusHeading(next);
    };
    take();
    // A dialog moves the keyboard on from what is no longer there, to whatever is first in it.
    const frame = requestAnimationFrame(() => requestAnimationFrame(take));
    if (!isWhollyInView(next)) {
      scrolledAt.current = performance.now();
      next.scrollIntoView({ block: "nearest" });
    }
    return () => cancelAnimationFrame(frame);
  }, [list, slots, docked]);
  const isListed = slots.length > 0;
  useEffect(() => {
    if (!isListed) return;
    const listening = new AbortController();
    const early = (event: MouseEvent): void => {
      // A click by keyboard or assistive technology has no place on the screen.
      if (event.detail === 0 || !list.current?.contains(event.target as Node)) return;
      if (performance.now() - scrolledAt.current < LIMITS.approvalInertMs) event.stopPropagation();
    };
    window.addEventListener("click", early, { signal: listening.signal, capture: true });
    return () => listening.abort();
  }, [list, isListed]);
}

/** The one that has the keyboard, which has gone on after an answer; else the first. */
const nextCard = (list: HTMLElement): Element | null =>
  list.querySelector("article:focus-within") ?? list.querySelector("article");

/** Unless the keyboard is in a card already. */
function focusHeading(card: Element): void {
  if (document.activeElement?.closest("article")) return;
  card.querySelector("h2")?.focus({ preventScroll: true });
}

function isWhollyInView(card: Element): boolean {
  const { top, bottom } = card.getBoundingClientRect();
  const free = Number.parseFloat(getComputedStyle(card).scrollMarginBlockStart) || 0;
  return top >= free && bottom <= window.innerHeight;
}
