import Type from "typebox";
import type { JsonObject } from "../../../app/contract/json.ts";
import { checked, type LocalOps, type OpRun } from "../local/local-call.ts";
import type { Offer, Waiting } from "./agent-port.ts";
import type { AgentServices } from "./inner-port.ts";

const closed = { additionalProperties: false } as const;

const CallArgs = Type.Object(
  {
    tool: Type.String(),
    arguments: Type.Unsafe<JsonObject>(Type.Object({})),
    /** Whether the client wants to hear how the call gets on. */
    progress: Type.Boolean(),
    /** What takes longer is to become a task. */
    task: Type.Optional(
      Type.Object(
        { at_once: Type.Boolean(), ttl_ms: Type.Union([Type.Null(), Type.Number()]) },
        closed,
      ),
    ),
  },
  closed,
);
const CollectArgs = Type.Object({ ticket: Type.String(), progress: Type.Boolean() }, closed);
const TaskArgs = Type.Object(
  { ticket: Type.String(), wait: Type.Boolean(), progress: Type.Boolean() },
  closed,
);
const TicketArgs = Type.Object({ ticket: Type.String() }, closed);
const AskArgs = Type.Object({ scopes: Type.Array(Type.String()) }, closed);

/** What the MCP server in a client's own process asks for, over the local socket. */
export function mcpOps({ calls, wishes, clients, agent, offer }: AgentServices): LocalOps {
  return {
    offer: async (_args, { agent_id }) => {
      const known = agent(agent_id);
      return known === undefined ? NOTHING : offer(known);
    },
    call: checked(CallArgs, ({ tool, arguments: args, progress, task }, from, run) =>
      calls.call(from, tool, args, { ...waitingOf(run, progress), ...(task && { task }) }),
    ),
    collect: checked(CollectArgs, ({ ticket, progress }, from, run) =>
      calls.collect(from, ticket, waitingOf(run, progress)),
    ),
    task: checked(TaskArgs, ({ ticket, wait, progress }, from, run) =>
      calls.task(from, ticket, wait ? waitingOf(run, progress) : null),
    ),
    tasks: async (_args, from) => calls.tasks(from),
    cancel_task: checked(TicketArgs, ({ ticket }, from) => calls.cancel(from, ticket)),
    ask: checked(AskArgs, ({ scopes }, { agent_id }, run) =>
      wishes.ask(clients, agent_id, scopes, run),
    ),
  };
}

const NOTHING: Offer = { tools: [], scopes: [], folders: [] };

const waitingOf = (run: OpRun, progress: boolean): Waiting => ({
  signal: run.signal,
  progress: progress ? (told) => run.progress(told) : null,
});
