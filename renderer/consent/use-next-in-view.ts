import { type RefObject, useEffect, useRef } from "react";
import { LIMITS } from "../../app/contract/limits.ts";
import { isElsewhere } from "./is-elsewhere.ts";

/**
 * The keyboard is at the open card's heading, never on a button, and the card is in view: its time
 * begins when it is seen, and nobody should have to look for it. A card that takes another one's place
 * comes under the pointer, so presses on it count only after the time that an approval waits too; the
 * second click of a double click answers nothing.
 *
 * @param docked the keyboard stays with the page beside the list, if that has it
 */
export function useNextInView(
  list: RefObject<HTMLElement | null>,
  open: string | null,
  docked: boolean,
): void {
  const before = useRef<string | null>(null);
  const replacedAt = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => {
    const isReplaced = before.current !== null && before.current !== open;
    before.current = open;
    if (isReplaced) replacedAt.current = performance.now();
    const holder = list.current;
    const card = holder?.querySelector("article");
    if (open === null || !holder || !card) return;
    const take = (): void => {
      if (!docked || !isElsewhere(holder)) focusHeading(card);
    };
    take();
    if (isReplaced && !isWhollyInView(card)) card.scrollIntoView({ block: "nearest" });
    // A dialog moves the keyboard on from what is no longer there, to whatever is first in it.
    const frame = requestAnimationFrame(() => requestAnimationFrame(take));
    return () => cancelAnimationFrame(frame);
  }, [list, open, docked]);
  useEffect(() => {
    const listening = new AbortController();
    const early = (event: MouseEvent): void => {
      // A click by keyboard or assistive technology has no place on the screen.
      if (event.detail === 0 || !(event.target instanceof Element)) return;
      if (!list.current?.contains(event.target) || !event.target.closest("article")) return;
      if (performance.now() - replacedAt.current < LIMITS.approvalInertMs) event.stopPropagation();
    };
    window.addEventListener("click", early, { signal: listening.signal, capture: true });
    return () => listening.abort();
  }, [list]);
}

/** Unless the keyboard is in the card already. */
function focusHeading(card: Element): void {
  if (card.contains(document.activeElement)) return;
  card.querySelector("h2")?.focus({ preventScroll: true });
}

function isWhollyInView(card: Element): boolean {
  const { top, bottom } = card.getBoundingClientRect();
  const free = Number.parseFloat(getComputedStyle(card).scrollMarginBlockStart) || 0;
  return top >= free && bottom <= window.innerHeight;
}
