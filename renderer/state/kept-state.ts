import { type SetStateAction, useState, useSyncExternalStore } from "react";

/** How many values are kept; the one that was set longest ago goes first. */
const KEPT_MAX = 200;

/** For each kind of value, whether any is kept that the person would have to write again. */
const holdsUnsent: (() => boolean)[] = [];

const everything = new Set<() => void>();

/** Forgets all of it, as a page that is loaded again does. */
export function forgetKept(): void {
  for (const forget of everything) forget();
}

/** Has the browser ask before the page, and with it what is kept, is closed or loaded again. */
export function askBeforeLeaving(): void {
  window.addEventListener("beforeunload", (event) => {
    if (holdsUnsent.some((holds) => holds())) event.preventDefault();
  });
}

/**
 * A `useState` whose value outlives its component: it is kept by its key until the page is closed. For
 * what a person has entered in something that is drawn anew when they look elsewhere.
 * @param isUnsent whether they would have to write the value again; default: no value is asked about
 */
export function keptState<T>(isUnsent?: (value: T) => boolean) {
  const kept = new Map<string, T>();
  if (isUnsent !== undefined) holdsUnsent.push(() => [...kept.values()].some(isUnsent));
  everything.add(() => kept.clear());
  const listeners = new Set<() => void>();
  const subscribe = (listener: () => void): (() => void) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  };
  return (key: string, initial: T): readonly [T, (action: SetStateAction<T>) => void] => {
    const [first] = useState(initial);
    const current = (): T => kept.get(key) ?? first;
    const value = useSyncExternalStore(subscribe, current);
    const set = (action: SetStateAction<T>): void => {
      const next = action instanceof Function ? action(current()) : action;
      kept.delete(key);
      kept.set(key, next);
      const [oldest] = kept.keys();
      if (kept.size > KEPT_MAX && oldest !== undefined) kept.delete(oldest);
      for (const listener of [...listeners]) listener();
    };
    return [value, set];
  };
}
