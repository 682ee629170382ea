import { type HandlerErrorReport, HandlerList } from "./handler-list.ts";

/**
 * Handlers for things that may arrive before the program had its first chance to add one: what
 * the hub kept for the agent comes right behind `auth.ok`.
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
    // Not from within the caller's own statement.
    if (this.#held.length > 0) queueMicrotask(() => this.#release());
  }

  /** Waits for a handler when there is none. @returns as `HandlerList.call` */
  call(value: Value): Promise<unknown> | undefined {
    if (!this.#handlers.isEmpty && this.#held.length === 0) return this.callNow(value);
    return new Promise((resolve) => {
      this.#held.push(() => resolve(this.callNow(value)));
    });
  }

  /** Calls those there are. */
  callNow(value: Value): Promise<unknown> | undefined {
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
