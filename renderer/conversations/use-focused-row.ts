import { type RefObject, useEffect, useState } from "react";

const keyAt = (target: EventTarget | null): string | null =>
  target instanceof Element
    ? (target.closest<HTMLElement>(".thread-item")?.dataset.key ?? null)
    : null;

/** The focused row's key; null: none. */
export function useFocusedRow(list: RefObject<HTMLElement | null>): string | null {
  const [focused, setFocused] = useState<string | null>(null);
  useEffect(() => {
    const rows = list.current;
    if (rows === null) return;
    const end = new AbortController();
    const { signal } = end;
    rows.addEventListener("focusin", ({ target }) => setFocused(keyAt(target)), { signal });
    rows.addEventListener("focusout", () => setFocused(null), { signal });
    return () => end.abort();
  }, [list]);
  return focused;
}
