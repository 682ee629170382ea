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
