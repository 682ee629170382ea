import { useEffect, useState } from "react";

/** Milliseconds before the host is told again, if it could not be told. */
const AGAIN_MS = 500;

/**
 * True once the host knows that the end of the card was in sight, or that the person says so.
 *
 * @param atEnd the card's end is in sight on a page that the person sees
 */
export function useReadToEnd(
  atEnd: boolean,
  tell: () => Promise<boolean>,
): { readonly read: boolean; readonly say: () => void } {
  const [reached, setReached] = useState(false);
  const [read, setRead] = useState(false);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (atEnd) setReached(true);
  }, [atEnd]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `tell` is for the same card always; `tries` tells again
  useEffect(() => {
    if (!reached || read) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let left = false;
    void tell().then((told) => {
      if (left) return;
      if (told) setRead(true);
      else timer = setTimeout(() => setTries((before) => before + 1), AGAIN_MS);
    });
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [reached, read, tries]);
  return { read, say: () => setReached(true) };
}
