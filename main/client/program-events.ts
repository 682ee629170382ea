import { EventEmitter } from "node:events";
import type { EventName, Events } from "../../app/bridge/events.ts";

interface Told {
  /** What pages show under these names may be another. */
  changed: [names: readonly EventName[]];
  /** Pages are told this; see `tell`. */
  page: [name: EventName, event: Events[EventName]];
  /** The agent's key counts, accepted or known before: what was held back may come. */
  key_accepted: [agentId: string];
  /** A session with the agent was set up again. */
  session_renewed: [conversationId: string, agentId: string];
}

/** What the parts of the program tell each other; listeners have run when `emit` returns. */
export class ProgramEvents extends EventEmitter<Told> {
  changed(...names: readonly EventName[]): void {
    this.emit("changed", names);
  }

  tell<E extends EventName>(name: E, event: Events[E]): void {
    this.emit("page", name, event);
  }
}
