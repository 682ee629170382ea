import type { KnownAgent } from "../../../app/grants/grant.ts";
import type { LocalAgent } from "../local/local-call.ts";
import type { ClientState, LocalClients } from "../local/local-clients.ts";
import type { Visitor } from "../local/local-pairings.ts";
import type { AgentCalls } from "./agent-calls.ts";
import { type AgentPort, type Offer, unavailableError } from "./agent-port.ts";
import type { ScopeRequests } from "./scope-requests.ts";

/** What agents' requests are answered from. */
export interface AgentServices {
  readonly calls: AgentCalls;
  readonly requests: ScopeRequests;
  readonly clients: LocalClients;
  agent(agentId: string): KnownAgent | undefined;
  offer(agent: KnownAgent): Offer;
}

export interface PortClient {
  readonly visitor: Visitor;
  /** Its calls of one session are one conversation to the person. Null: nothing tells one from another. */
  readonly session: string | null;
  readonly onChanged: AgentPort["onChanged"];
}

/** One agent for the MCP server. What it first wants shows the client to the person. */
export function innerPort(
  { calls, requests, clients, agent, offer }: AgentServices,
  { visitor, session, onChanged }: PortClient,
): AgentPort {
  let stand = (): ClientState => {
    stand = () => clients.stateOf(visitor);
    return clients.meet(visitor);
  };
  const present = (): LocalAgent => agentOf(stand(), session);
  return {
    async offer() {
      const known = agent(present().agent_id);
      if (known === undefined) throw unavailableError({ kind: "not_asked" });
      return offer(known);
    },
    call: async (tool, args, waiting) => calls.call(present(), tool, args, waiting),
    collect: async (ticket, waiting) => calls.collect(present(), ticket, waiting),
    task: async (ticket, waiting) => calls.task(present(), ticket, waiting),
    tasks: async () => calls.tasks(present()),
    cancelTask: async (ticket) => calls.cancel(present(), ticket),
    async ask(scopes, waiting) {
      const { agent_id } = agentOf(clients.meet(visitor), session);
      return requests.ask(clients, agent_id, scopes, waiting);
    },
    onChanged,
  };
}

function agentOf(state: ClientState, session: string | null): LocalAgent {
  if (state.word === "paired") {
    const { agent_id } = state;
    return { agent_id, session: session ?? `http ${agent_id}` };
  }
  throw unavailableError(
    state.word === "waiting" ? { kind: "waiting", code: state.code } : { kind: state.word },
  );
}
