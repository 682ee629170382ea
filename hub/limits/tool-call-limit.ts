import type { Clock } from "../hub-options.ts";

/** platform: 60 sends of a tool call a minute for each agent; clients add no limit of their own. */
export const TOOL_CALLS_PER_MINUTE = 60;
const WINDOW_MS = 60_000;

/** When each call was taken, by its `client_message_id`, oldest first. */
type Calls = Map<string, number>;

/**
 * How many tool calls each agent had taken in the minute before now (contract §8). A call counts
 * from the moment it is kept and for exactly 60 s, under its id and once; what is refused never
 * counts.
 *
 * One event loop asks and counts in one breath, so any number of connections see one window. At
 * most `perMinute` calls are held for an agent, and none for one that was quiet for a minute.
 */
export class ToolCallLimit {
  readonly #perMinute: number;
  readonly #clock: Clock;
  /** In the order of each agent's latest call. */
  readonly #byAgent = new Map<string, Calls>();

  /** @param clock milliseconds that never go back: setting the wall clock moves no window */
  constructor(perMinute: number, clock: Clock) {
    this.#perMinute = perMinute;
    this.#clock = clock;
  }

  /** @returns whole milliseconds until this call would be taken; `undefined`: it is, now */
  mustWait(agentId: string, callId: string): number | undefined {
    const now = this.#clock.now();
    const calls = this.#current(agentId, now);
    const [oldest] = calls.values();
    // One that counts already is another try of the same write.
    if (oldest === undefined || calls.size < this.#perMinute || calls.has(callId)) return undefined;
    // Rounded up: who comes back exactly then must not be refused again.
    return Math.max(1, Math.ceil(oldest + WINDOW_MS - now));
  }

  count(agentId: string, callId: string): void {
    const now = this.#clock.now();
    const calls = this.#current(agentId, now);
    if (!calls.has(callId)) calls.set(callId, now);
    this.#byAgent.delete(agentId);
    this.#byAgent.set(agentId, calls);
    this.#forgetQuiet(now);
  }

  /** The call could not be kept after all. */
  takeBack(agentId: string, callId: string): void {
    this.#byAgent.get(agentId)?.delete(callId);
  }

  /** How many agents are remembered. */
  get size(): number {
    return this.#byAgent.size;
  }

  #current(agentId: string, now: number): Calls {
    const calls: Calls = this.#byAgent.get(agentId) ?? new Map();
    for (const [callId, at] of calls) {
      if (at + WINDOW_MS > now) break;
      calls.delete(callId);
    }
    return calls;
  }

  /** The quietest come first, so this looks at one agent more than it forgets. */
  #forgetQuiet(now: number): void {
    for (const agentId of this.#byAgent.keys()) {
      if (this.#current(agentId, now).size > 0) return;
      this.#byAgent.delete(agentId);
    }
  }
}
