import { useCallback, useEffect, useState } from "react";
import { addressOf, openIn } from "./open-address.ts";

/**
 * Which conversation is open. It is part of the address, so the browser's Back returns to the list.
 */
export function useOpenConversation(): readonly [string | null, (id: string | null) => void] {
  const [open, setOpen] = useState(() => openIn(window.location.hash));
  useEffect(() => {
    const end = new AbortController();
    const follow = (): void => setOpen(openIn(window.location.hash));
    window.addEventListener("hashchange", follow, { signal: end.signal });
    return () => end.abort();
  }, []);
  const change = useCallback((id: string | null): void => {
    setOpen(id);
    window.location.hash = addressOf(id);
  }, []);
  return [open, change];
}
