import {
  CLIENT_INFO_META_KEY,
  Server,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import Type from "typebox";
import { guardOf } from "../../../app/contract/checked.ts";
import { AbsenceError, type AgentPort, type Offer, type OfferedTool } from "./agent-port.ts";
import { collectTool, permissionTool } from "./own-tools.ts";
import { listedFolders, RESOURCE_TEMPLATE, readResource } from "./resources.ts";
import { type ClientTool, serveCalls } from "./serve-calls.ts";
import { serveTasks } from "./serve-tasks.ts";
import { TASK_CAPABILITIES } from "./task-support.ts";
import { waitingOf } from "./waiting-of.ts";

const isClientInfo = guardOf(
  Type.Object({ name: Type.String(), title: Type.Optional(Type.String()) }),
);

const INSTRUCTIONS =
  "These tools act on the person's own computer. The person sees each call that matters and allows or denies it, so an answer may take a while.";

/**
 * One MCP server over one agent, for one connection or one HTTP request, of either protocol era. It
 * decides nothing: what is offered and what is answered comes from the port.
 * @param met learns what the client calls itself, before the port is used
 */
export function mcpServer(
  port: AgentPort,
  version: string,
  met: (clientName: string) => void = () => {},
  clientTool: ClientTool | null = null,
): Server {
  const server = new Server(
    { name: "consentry", title: "Consentry", version },
    {
      capabilities: { tools: { listChanged: true }, resources: {}, ...TASK_CAPABILITIES },
      instructions: INSTRUCTIONS,
    },
  );
  const closed = new AbortController();
  server.onclose = () => closed.abort();
  port.onChanged(() => void server.sendToolListChanged().catch(() => {}), closed.signal);

  const greeted = (ctx: ServerContext) => {
    // The newer era says it with each request, the older one once (and its accessor is all there is).
    const said: unknown = Reflect.get(ctx.mcpReq.envelope ?? {}, CLIENT_INFO_META_KEY);
    const info = isClientInfo(said) ? said : server.getClientVersion();
    if (info !== undefined) met(info.title ?? info.name);
  };
  server.setRequestHandler("tools/list", async (_request, ctx) => {
    greeted(ctx);
    const offer = await offerOf(port);
    return { tools: [...toolsOf(offer), ...(clientTool === null ? [] : [clientTool.tool])] };
  });
  serveCalls(server, port, { greeted, clientTool });
  serveTasks(server, port, greeted);
  server.setRequestHandler("resources/list", async (_request, ctx) => {
    greeted(ctx);
    return { resources: [...listedFolders(await offerOf(port))] };
  });
  server.setRequestHandler("resources/templates/list", async () => ({
    resourceTemplates: [RESOURCE_TEMPLATE],
  }));
  server.setRequestHandler("resources/read", async ({ params }, ctx) => {
    greeted(ctx);
    return readResource(port, params.uri, waitingOf(ctx));
  });
  return server;
}

/** Null: not connected, and only the wish to be is on offer. */
async function offerOf(port: AgentPort): Promise<Offer | null> {
  try {
    return await port.offer();
  } catch (error) {
    if (error instanceof AbsenceError) return null;
    throw error;
  }
}

const toolsOf = (offer: Offer | null): readonly Tool[] => [
  ...(offer?.tools ?? []).map(toolOf),
  permissionTool(offer?.scopes ?? []),
  ...(offer === null ? [] : [collectTool]),
];

const toolOf = (tool: OfferedTool): Tool => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: { ...tool.input_schema, type: "object" },
  outputSchema: { ...tool.output_schema, type: "object" },
  execution: { taskSupport: "optional" },
  annotations: {
    title: tool.title,
    readOnlyHint: tool.reads_only,
    destructiveHint: tool.destructive,
    idempotentHint: tool.idempotent,
    openWorldHint: tool.open_world,
  },
});
