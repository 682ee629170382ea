import { type RefObject, useLayoutEffect, useRef } from "react";

/**
 * When the button that has the focus disappears, the focus would fall back to the page. The one that
 * comes into its place gets it if its words are the same, as in the next row of a list, otherwise the
 * holder: a second press must not do something else.
 * @param hasRows false: the holder gets it, whatever comes into its place
 */
export function useKeptFocus(holder: RefObject<HTMLElement | null>, hasRows = true): void {
  const had = useRef<{ readonly button: HTMLButtonElement; readonly at: number } | null>(null);
  useLayoutEffect(() => {
    const before = had.current;
    if (before === null || before.button.isConnected) return;
    if (document.activeElement !== document.body) return;
    const buttons = buttonsIn(holder);
    const next = buttons[Math.min(before.at, buttons.length - 1)];
    const isSame = hasRows && next?.textContent === before.button.textContent;
    (isSame ? next : holder.current)?.focus();
  });
  // The holder may be drawn later.
  useLayoutEffect(() => {
    const listening = new AbortController();
    const noted = ({ target }: FocusEvent): void => {
      const button = target instanceof HTMLButtonElement ? target : null;
      const at = button === null ? -1 : buttonsIn(holder).indexOf(button);
      had.current = button === null || at < 0 ? null : { button, at };
    };
    document.addEventListener("focusin", noted, { signal: listening.signal });
    return () => listening.abort();
  }, [holder]);
}

const buttonsIn = (holder: RefObject<HTMLElement | null>): readonly HTMLButtonElement[] => [
  ...(holder.current?.querySelectorAll("button") ?? []),
];
