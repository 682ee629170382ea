/** A call that an agent was allowed and has not reported on. */
interface AllowedCall {
  readonly call_id: string;
  readonly session: string;
  readonly tool: string;
  /** The agent's own name for this use of its tool; null: it has none. */
  readonly use: string | null;
  readonly arguments_digest: string;
}

/** For each agent; an agent that never reports costs no more. */
const CALLS_KEPT = 64;

/** What agents may still report on, in memory only: a report after a restart belongs to nothing. */
export class AllowedCalls {
  readonly #byAgent = new Map<string, readonly AllowedCall[]>();

  add(agentId: string, call: AllowedCall): void {
    this.#byAgent.set(agentId, [...this.#of(agentId), call].slice(-CALLS_KEPT));
  }

  /** The call that a report is about, once: the same use, or else the oldest with the same arguments. */
  take(agentId: string, about: Omit<AllowedCall, "call_id">): string | null {
    const calls = this.#of(agentId);
    const found = calls.find((call) => isAbout(call, about));
    if (found === undefined) return null;
    this.#byAgent.set(
      agentId,
      calls.filter((call) => call !== found),
    );
    return found.call_id;
  }

  forget(agentId: string): void {
    this.#byAgent.delete(agentId);
  }

  #of(agentId: string): readonly AllowedCall[] {
    return this.#byAgent.get(agentId) ?? [];
  }
}

/** The folder that a command is in may be another one when it is over, so the use counts if there is one. */
const isAbout = (call: AllowedCall, about: Omit<AllowedCall, "call_id">): boolean =>
  call.session === about.session &&
  call.tool === about.tool &&
  call.use === about.use &&
  (call.use !== null || call.arguments_digest === about.arguments_digest);
