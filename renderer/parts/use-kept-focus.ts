import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * When the button that has the focus disappears with its row, the one that comes into its place in the
 * holder gets it, or the last; otherwise the focus would fall back to the page.
 */
export function useKeptFocus(holder: RefObject<HTMLElement | null>): void {
  const had = useRef<{ readonly button: Element; readonly at: number } | null>(null);
  useLayoutEffect(() => {
    const buttons = [...(holder.current?.querySelectorAll("button") ?? [])];
    const { activeElement } = document;
    const before = had.current;
    if (before !== null && !before.button.isConnected && activeElement === document.body) {
      buttons[Math.min(before.at, buttons.length - 1)]?.focus();
    }
  });
  useLayoutEffect(() => {
    const element = holder.current;
    if (element === null) return;
    const listening = new AbortController();
    const noted = ({ target }: FocusEvent): void => {
      const button = target instanceof HTMLButtonElement ? target : null;
      const at = button === null ? -1 : [...element.querySelectorAll("button")].indexOf(button);
      had.current = button === null ? null : { button, at };
    };
    element.addEventListener("focusin", noted, { signal: listening.signal });
    return () => listening.abort();
  }, [holder]);
}
