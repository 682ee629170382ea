export type HandlerErrorReport = (error: unknown) => void;

/** Handlers of one kind, called in the order they were added; a failing one stops no other. */
export class HandlerList<Arguments extends readonly unknown[]> {
  readonly #entries = new Set<{ readonly handle: (...args: Arguments) => unknown }>();
  readonly #report: HandlerErrorReport;

  constructor(report: HandlerErrorReport) {
    this.#report = report;
  }

  get isEmpty(): boolean {
    return this.#entries.size === 0;
  }

  /** @param signal unsubscribes the handler when aborted */
  add(handle: (...args: Arguments) => unknown, signal?: AbortSignal): void {
    if (signal?.aborted) return;
    const entry = { handle };
    this.#entries.add(entry);
    signal?.addEventListener("abort", () => this.#entries.delete(entry), { once: true });
  }

  /** Settles when every promise that a handler returned has settled. */
  async call(...args: Arguments): Promise<void> {
    const running = [...this.#entries].map(async ({ handle }) => {
      try {
        await handle(...args);
      } catch (error) {
        this.#report(error);
      }
    });
    await Promise.all(running);
  }

  clear(): void {
    this.#entries.clear();
  }
}

const print: HandlerErrorReport = (error) => console.error("an agent handler failed:", error);

/** Reports an error; never throws into the loop that calls it. */
export function safeReport(report: HandlerErrorReport = print): HandlerErrorReport {
  return (error) => {
    try {
      report(error);
    } catch (second) {
      print(second);
    }
  };
}

/**
 * Handlers for what may arrive before the program can add the first one: the hub sends what it has
 * stored for the agent right after `auth.ok`.
 */
export class PatientHandlers<Value> {
  readonly #handlers: HandlerList<[Value]>;
  /** In the order they came. */
  #held: (() => void)[] = [];

  constructor(report: HandlerErrorReport) {
    this.#handlers = new HandlerList(report);
  }

  add(handle: (value: Value) => unknown, signal?: AbortSignal): void {
    this.#handlers.add(handle, signal);
    // Not synchronously, while the caller is still adding the handler.
    if (this.#held.length > 0) queueMicrotask(() => this.#release());
  }

  /** Holds the value until there is a handler. @returns as `HandlerList.call` */
  call(value: Value): Promise<void> {
    if (!this.#handlers.isEmpty && this.#held.length === 0) return this.callNow(value);
    return new Promise((resolve) => {
      this.#held.push(() => resolve(this.callNow(value)));
    });
  }

  /** Calls the present handlers. */
  callNow(value: Value): Promise<void> {
    return this.#handlers.call(value);
  }

  clear(): void {
    this.#held = [];
    this.#handlers.clear();
  }

  #release(): void {
    if (this.#handlers.isEmpty) return;
    const held = this.#held;
    this.#held = [];
    for (const hand of held) hand();
  }
}
