import { EVENT_NAMES, type EventName, type Events } from "../../../app/bridge/events.ts";
import type { ProgramListener } from "../host-port.ts";

export type Views = { readonly [E in EventName]?: () => Events[E] };

/**
 * Sends events to the renderers. A list is built at most once per turn of the event loop, so a flood
 * of calls costs the UI one update a turn.
 */
export class EventHub {
  readonly #listeners = new Set<ProgramListener>();
  readonly #stale = new Set<EventName>();
  readonly #views: Views;
  #flushing = false;
  #ended = false;

  constructor(views: Views) {
    this.#views = views;
  }

  get isHeard(): boolean {
    return this.#listeners.size > 0;
  }

  subscribe(listener: ProgramListener, signal: AbortSignal): void {
    if (signal.aborted || this.#ended) return;
    this.#listeners.add(listener);
    signal.addEventListener("abort", () => this.#listeners.delete(listener), { once: true });
  }

  /** The list of this event has changed since it was last sent. */
  changed(...names: readonly EventName[]): void {
    for (const name of names) this.#stale.add(name);
    if (this.#flushing) return;
    this.#flushing = true;
    setImmediate(() => this.#flush());
  }

  /** Builds and sends nothing more: the stores it reads from are closed next. */
  end(): void {
    this.#ended = true;
    this.#listeners.clear();
  }

  emit<E extends EventName>(name: E, event: Events[E]): void {
    for (const listener of [...this.#listeners]) listener(name, event);
  }

  #flush(): void {
    this.#flushing = false;
    const names = EVENT_NAMES.filter((name) => this.#stale.has(name));
    this.#stale.clear();
    for (const name of names) this.#tell(name);
  }

  #tell<E extends EventName>(name: E): void {
    const view = this.#views[name];
    if (view !== undefined && this.isHeard) this.emit(name, view());
  }
}
