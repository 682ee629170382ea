import type { Withdrawal } from "../consent/verdict.ts";

interface Running {
  readonly agent_id: string;
  readonly scope: string;
  readonly controller: AbortController;
}

/** The calls that have passed every check and may be running, so that each can be stopped. */
export class RunningCalls {
  readonly #running = new Set<Running>();
  #closed: Withdrawal | null = null;

  /** From here to `done`, a matching `stop` aborts `signal` with the withdrawal as its reason. */
  open(
    agentId: string,
    scope: string,
  ): { readonly signal: AbortSignal; readonly done: () => void } {
    const running: Running = { agent_id: agentId, scope, controller: new AbortController() };
    this.#running.add(running);
    if (this.#closed !== null) running.controller.abort(this.#closed);
    return { signal: running.controller.signal, done: () => this.#running.delete(running) };
  }

  /** Stops everything, now and from now on. */
  close(why: Withdrawal): void {
    this.#closed = why;
    this.stop(() => true, why);
  }

  stop(matches: (call: { agent_id: string; scope: string }) => boolean, why: Withdrawal): void {
    for (const running of [...this.#running]) {
      if (matches(running)) running.controller.abort(why);
    }
  }
}
