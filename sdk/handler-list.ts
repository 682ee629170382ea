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

  /** @returns settles when every promise a handler returned did; `undefined` when none did */
  call(...args: Arguments): Promise<unknown> | undefined {
    let running: Promise<unknown>[] | undefined;
    for (const { handle } of [...this.#entries]) {
      try {
        const outcome = handle(...args);
        if (!isThenable(outcome)) continue;
        running ??= [];
        running.push(Promise.resolve(outcome).catch(this.#report));
      } catch (error) {
        this.#report(error);
      }
    }
    return running && Promise.all(running);
  }

  clear(): void {
    this.#entries.clear();
  }
}

const isThenable = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === "object" && value !== null && "then" in value;

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
