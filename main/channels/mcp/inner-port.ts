import type { KnownAgent } from "../../../app/grants/grant.ts";
import type { LocalAgent } from "../local/local-call.ts";
import type { LocalClients, Standing } from "../local/local-clients.ts";
import type { Visitor } from "../local/local-pairings.ts";
import type { AgentCalls } from "./agent-calls.ts";
import { AbsenceError, type AgentPort, type Offer } from "./agent-port.ts";
import type { AgentWishes } from "./agent-wishes.ts";

/** What agents' requests are answered from, over the local socket and over HTTP. */
export interface AgentServices {
  readonly calls: AgentCalls;
  readonly wishes: AgentWishes;
  readonly clients: LocalClients;
  agent(agentId: string): KnownAgent | undefined;
  offer(agent: KnownAgent): Offer;
}

/** An agent in this very program, for a client that reaches it without the local socket. */
export function innerPort(
  { calls, wishes, clients, agent, offer }: AgentServices,
  visitor: Visitor,
): AgentPort {
  const present = (): LocalAgent => agentOf(clients.standing(visitor));
  return {
    async offer() {
      const known = agent(present().agent_id);
      if (known === undefined) throw new AbsenceError({ kind: "not_asked" });
      return offer(known);
    },
    call: async (tool, args, waiting) => calls.call(present(), tool, args, waiting),
    collect: async (ticket, waiting) => calls.collect(present(), ticket, waiting),
    task: async (ticket, waiting) => calls.task(present(), ticket, waiting),
    tasks: async () => calls.tasks(present()),
    cancelTask: async (ticket) => calls.cancel(present(), ticket),
    async ask(scopes, waiting) {
      const { agent_id } = agentOf(clients.meet(visitor));
      return wishes.ask(clients, agent_id, scopes, waiting);
    },
    // A client over HTTP has no line of its own: it is told on a stream that it opens (`http-door.ts`).
    onChanged: () => {},
  };
}

/** Nothing tells one conversation of such a client from another, so all its calls are of one. */
function agentOf(standing: Standing): LocalAgent {
  if (standing.word === "paired") {
    return { agent_id: standing.agent_id, session: `http ${standing.agent_id}` };
  }
  throw new AbsenceError(
    standing.word === "waiting"
      ? { kind: "waiting", code: standing.code }
      : { kind: standing.word },
  );
}
