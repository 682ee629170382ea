import { type SetStateAction, useState, useSyncExternalStore } from "react";

/** How many values are kept; the one that was set longest ago goes first. */
const KEPT_MAX = 200;

/**
 * A `useState` whose value outlives its component: it is kept by its key until the page is closed. For
 * what a person has entered in something that is drawn anew when they look elsewhere.
 */
export function keptState<T>() {
  const kept = new Map<string, T>();
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
