import type { Scheduler } from "../../../app/execution/ports.ts";
import { grantedScopes } from "../../../app/grants/grant.ts";
import type { ChannelHost } from "../channel.ts";
import type { LocalClients } from "../local/local-clients.ts";
import type { AskAnswer, Waiting } from "./agent-port.ts";

/** As long as a call waits whose client shows no progress. */
const PATIENCE_MS = 45_000;

type Clients = Pick<LocalClients, "askForMore" | "askedFor">;

interface ScopeRequest {
  readonly agentId: string;
  readonly scopes: readonly string[];
  /** What the person has been asked about since the request came. */
  readonly asked: Set<string>;
}

/** Agents that ask for permissions they lack, and wait for the person's answer. */
export class ScopeRequests {
  readonly #scheduler: Scheduler;
  readonly #host: Pick<ChannelHost, "agents" | "deniedScopes">;
  readonly #listeners = new Set<() => void>();

  constructor(scheduler: Scheduler, host: Pick<ChannelHost, "agents" | "deniedScopes">) {
    this.#scheduler = scheduler;
    this.#host = host;
  }

  async ask(
    clients: Clients,
    agentId: string,
    scopes: readonly string[],
    { signal }: Pick<Waiting, "signal">,
  ): Promise<AskAnswer> {
    const { agents, deniedScopes } = this.#host;
    const agent = agents.agent(agentId);
    const declared = agent?.manifest.permission_scopes.map(({ id }) => id) ?? [];
    const isKnown = scopes.length > 0 && scopes.every((scope) => declared.includes(scope));
    if (agent === undefined || !isKnown) return { kind: "unknown_scope" };
    if (scopes.some((scope) => deniedScopes.includes(scope))) return { kind: "managed" };
    const late = new AbortController();
    const cancel = this.#scheduler.after(PATIENCE_MS, () => late.abort());
    const ended = AbortSignal.any([signal, late.signal]);
    try {
      return await this.#answer(clients, { agentId, scopes, asked: new Set() }, ended);
    } finally {
      cancel();
    }
  }

  /** A question was answered, or its time ran out; or grants have changed. */
  answered(): void {
    for (const look of this.#listeners) look();
  }

  /** An agent has one question at a time: what it leaves out is asked after it. */
  async #answer(clients: Clients, request: ScopeRequest, ended: AbortSignal): Promise<AskAnswer> {
    while (this.#missing(request).length > 0) {
      if (ended.aborted) return { kind: "waiting" };
      const question = clients.askedFor(request.agentId) ?? this.#askForRest(clients, request);
      if (question === null) return { kind: "refused" };
      for (const scope of question) request.asked.add(scope);
      await this.#until(() => clients.askedFor(request.agentId) === null, ended);
    }
    return { kind: "granted" };
  }

  /** Null: there is nothing to ask, or it cannot be asked now. */
  #askForRest(clients: Clients, request: ScopeRequest): readonly string[] | null {
    const agent = this.#host.agents.agent(request.agentId);
    const rest = this.#missing(request).filter((scope) => !request.asked.has(scope));
    return agent !== undefined && rest.length > 0 && clients.askForMore(agent, rest) ? rest : null;
  }

  #missing({ agentId, scopes }: ScopeRequest): readonly string[] {
    const agent = this.#host.agents.agent(agentId);
    const granted = agent === undefined ? [] : grantedScopes(agent);
    return [...new Set(scopes)].filter((scope) => !granted.includes(scope));
  }

  async #until(isOver: () => boolean, ended: AbortSignal): Promise<void> {
    if (isOver() || ended.aborted) return;
    const over = Promise.withResolvers<void>();
    const look = () => {
      if (isOver()) over.resolve();
    };
    const stop = () => over.resolve();
    this.#listeners.add(look);
    ended.addEventListener("abort", stop, { once: true });
    await over.promise;
    ended.removeEventListener("abort", stop);
    this.#listeners.delete(look);
  }
}
