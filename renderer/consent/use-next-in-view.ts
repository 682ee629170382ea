import { type RefObject, useEffect, useRef } from "react";
import { isElsewhere } from "./is-elsewhere.ts";

const DIALOG = '[role="dialog"], [role="alertdialog"]';

/**
 * The keyboard is at the open card's heading, never on a button, and the card is in view: its time
 * begins when it is seen, and nobody should have to look for it.
 *
 * @param docked the keyboard stays with the page beside the list, if that has it
 */
export function useNextInView(
  list: RefObject<HTMLElement | null>,
  open: string | null,
  docked: boolean,
): void {
  const before = useRef<string | null>(null);
  useEffect(() => {
    const isReplaced = before.current !== null && before.current !== open;
    before.current = open;
    const holder = list.current;
    const card = holder?.querySelector("article");
    if (open === null || !holder || !card) return;
    // The first request comes before an open dialog. One that the person opens after that, the list of
    // keys for example, keeps the keyboard: Esc is for it, and not for a card that has just come.
    const openBefore = isReplaced ? [] : [...document.querySelectorAll(DIALOG)];
    const take = (): void => {
      const dialog = document.activeElement?.closest(DIALOG) ?? null;
      const givesWay = dialog === null || dialog.contains(holder) || openBefore.includes(dialog);
      if (givesWay && (!docked || !isElsewhere(holder))) focusHeading(card);
    };
    take();
    if (isReplaced && !isWhollyInView(card)) card.scrollIntoView({ block: "nearest" });
    // A dialog moves the keyboard on from what is no longer there, to whatever is first in it.
    const frame = requestAnimationFrame(() => requestAnimationFrame(take));
    return () => cancelAnimationFrame(frame);
  }, [list, open, docked]);
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
