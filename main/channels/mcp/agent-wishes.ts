import type { Scheduler } from "../../../app/execution/ports.ts";
import { grantedScopes, type KnownAgent } from "../../../app/grants/grant.ts";
import type { LocalClients } from "../local/local-clients.ts";
import type { AskAnswer, Waiting } from "./agent-port.ts";

/** As long as a call waits whose client shows no progress. */
const PATIENCE_MS = 45_000;

/** Agents that ask for permissions they lack, and wait for the person's answer. */
export class AgentWishes {
  readonly #scheduler: Scheduler;
  readonly #agents: { agent(agentId: string): KnownAgent | undefined };
  readonly #listeners = new Set<() => void>();

  constructor(scheduler: Scheduler, agents: { agent(agentId: string): KnownAgent | undefined }) {
    this.#scheduler = scheduler;
    this.#agents = agents;
  }

  async ask(
    clients: Pick<LocalClients, "askForMore" | "isAskingForMore">,
    agentId: string,
    scopes: readonly string[],
    { signal }: Pick<Waiting, "signal">,
  ): Promise<AskAnswer> {
    const agent = this.#agents.agent(agentId);
    const declared = agent?.manifest.permission_scopes.map(({ id }) => id) ?? [];
    if (agent === undefined || scopes.some((scope) => !declared.includes(scope))) {
      return { kind: "unknown_scope" };
    }
    const missing = () => {
      const now = this.#agents.agent(agentId);
      const granted = now === undefined ? [] : grantedScopes(now);
      return [...new Set(scopes)].filter((scope) => !granted.includes(scope));
    };
    if (missing().length === 0) return { kind: "granted" };
    if (!clients.askForMore(agent, missing())) return { kind: "refused" };
    await this.#until(() => !clients.isAskingForMore(agentId), signal);
    if (missing().length === 0) return { kind: "granted" };
    return { kind: clients.isAskingForMore(agentId) ? "waiting" : "refused" };
  }

  /** Grants have changed. */
  changed(_agentId: string): void {
    this.answered();
  }

  /** A question was answered, or its time ran out. */
  answered(): void {
    for (const look of this.#listeners) look();
  }

  async #until(isOver: () => boolean, signal: AbortSignal): Promise<void> {
    if (isOver() || signal.aborted) return;
    const over = Promise.withResolvers<void>();
    const look = () => {
      if (isOver()) over.resolve();
    };
    const stop = () => over.resolve();
    this.#listeners.add(look);
    signal.addEventListener("abort", stop, { once: true });
    const cancel = this.#scheduler.after(PATIENCE_MS, stop);
    await over.promise;
    cancel();
    signal.removeEventListener("abort", stop);
    this.#listeners.delete(look);
  }
}
