import { EventEmitter } from "node:events";
import type { EventName, Events } from "../../app/bridge/events.ts";

interface Told {
  /** The views behind these events may have changed. */
  changed: [names: readonly EventName[]];
  /** Sent to pages; see `tell`. */
  page: [name: EventName, event: Events[EventName]];
  /** The agent's key is accepted, or known again: messages that waited may be handled. */
  key_accepted: [agentId: string];
  /** A session with the agent was set up again. */
  session_renewed: [conversationId: string, agentId: string];
}

/** Events between parts of the program; listeners have run when `emit` returns. */
export class ProgramEvents extends EventEmitter<Told> {
  changed(...names: readonly EventName[]): void {
    this.emit("changed", names);
  }

  tell<E extends EventName>(name: E, event: Events[E]): void {
    this.emit("page", name, event);
  }
}
