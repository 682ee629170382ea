import {
  type CallToolResult,
  CLIENT_INFO_META_KEY,
  Server,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import Type from "typebox";
import { guardOf } from "../../../app/contract/checked.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../app/contract/json.ts";
import {
  AbsenceError,
  type AgentPort,
  type CallAnswer,
  type CallProgress,
  type Offer,
  type OfferedTool,
  type Waiting,
} from "./agent-port.ts";
import {
  type AnswerWords,
  COLLECT_ANSWER,
  REQUEST_PERMISSION,
  wordsOfAbsence,
  wordsOfAsking,
  wordsOfCall,
} from "./answer-words.ts";
import { collectTool, permissionTool } from "./own-tools.ts";
import { listedFolders, RESOURCE_TEMPLATE, readResource } from "./resources.ts";

/** In `_meta` of each result: what programs branch on. */
const OUTCOME = "consentry/outcome";

const isClientInfo = guardOf(
  Type.Object({ name: Type.String(), title: Type.Optional(Type.String()) }),
);

const INSTRUCTIONS =
  "These tools act on the person's own computer. The person sees each call that matters and allows or denies it, so an answer may take a while.";

/** A tool for the client itself, beside those of the agent. */
export interface ClientTool {
  readonly tool: Tool;
  /** @returns the text that the client reads */
  call(args: JsonObject): Promise<string>;
}

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
      capabilities: { tools: { listChanged: true }, resources: {} },
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
  server.setRequestHandler("tools/call", async ({ params }, ctx) => {
    greeted(ctx);
    const args = isJsonObject(params.arguments) ? params.arguments : {};
    if (params.name === clientTool?.tool.name) {
      return { content: [{ type: "text", text: await clientTool.call(args) }] };
    }
    return callTool(port, params.name, args, waitingOf(ctx));
  });
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
  annotations: {
    title: tool.title,
    readOnlyHint: tool.reads_only,
    destructiveHint: tool.destructive,
    idempotentHint: tool.idempotent,
    openWorldHint: tool.open_world,
  },
});

async function callTool(
  port: AgentPort,
  name: string,
  args: JsonObject,
  waiting: Waiting,
): Promise<CallToolResult> {
  try {
    switch (name) {
      case REQUEST_PERMISSION: {
        const { permissions } = args;
        const scopes = Array.isArray(permissions)
          ? permissions.filter((id) => typeof id === "string")
          : [];
        const answer = await port.ask(scopes, waiting);
        return resultOf(wordsOfAsking(answer), answer.kind !== "granted");
      }
      case COLLECT_ANSWER:
        return toolResult(await port.collect(String(args.ticket), waiting));
      default:
        return toolResult(await port.call(name, args, waiting));
    }
  } catch (error) {
    if (error instanceof AbsenceError) return resultOf(wordsOfAbsence(error.absence), true);
    throw error;
  }
}

function toolResult(answer: CallAnswer): CallToolResult {
  if (answer.kind !== "ok") return resultOf(wordsOfCall(answer), true);
  return {
    content: [{ type: "text", text: JSON.stringify(answer.result) }],
    structuredContent: asObject(answer.result),
    _meta: { [OUTCOME]: { status: "ok" } },
  };
}

/** Every tool's result is an object (see their contracts); the type of a JSON value does not say so. */
const asObject = (result: JsonValue): JsonObject => (isJsonObject(result) ? result : { result });

const resultOf = ({ text, outcome }: AnswerWords, isError: boolean): CallToolResult => ({
  content: [{ type: "text", text }],
  isError,
  _meta: { [OUTCOME]: outcome },
});

function waitingOf({ mcpReq }: ServerContext): Waiting {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined)
    return { signal: mcpReq.signal, progress: null, request: mcpReq.id };
  let count = 0;
  const progress = ({ waits_for, done, total }: CallProgress) => {
    count += 1;
    const told = done === null ? "" : `, ${done}${total === null ? "" : ` of ${total}`} done`;
    const message =
      waits_for === "person" ? "Waiting for the person to answer" : `The tool is running${told}`;
    // It must rise from one to the next, whatever the tool reports.
    const params = { progressToken, progress: count, message };
    void mcpReq.notify({ method: "notifications/progress", params }).catch(() => {});
  };
  return { signal: mcpReq.signal, progress, request: mcpReq.id };
}
