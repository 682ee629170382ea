export interface ListenerSet<T> {
  /** The listener is removed when `signal` aborts. */
  add(listener: (value: T) => void, signal: AbortSignal): void;
  tell(value: T): void;
}

export function listenerSet<T>(): ListenerSet<T> {
  const listeners = new Set<(value: T) => void>();
  return {
    add: (listener, signal) => {
      if (signal.aborted) return;
      listeners.add(listener);
      signal.addEventListener("abort", () => listeners.delete(listener), { once: true });
    },
    tell: (value) => {
      for (const listener of [...listeners]) listener(value);
    },
  };
}
