import { type HandlerErrorReport, HandlerList } from "./handler-list.ts";

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
