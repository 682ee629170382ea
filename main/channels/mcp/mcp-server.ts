import { basename } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplateType,
  Server,
  type Tool,
} from "@modelcontextprotocol/server";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../app/contract/json.ts";
import {
  type AgentPort,
  type Offer,
  type OfferedTool,
  unavailableIn,
  type Waiting,
} from "./agent-port.ts";
import {
  COLLECT_ANSWER,
  REQUEST_PERMISSION,
  unavailableText,
  wordsOfCall,
} from "./answer-words.ts";
import type { CallAnswer } from "./call-answer.ts";
import { type ClientTool, serveCalls, waitingOf } from "./serve-calls.ts";
import { serveTasks } from "./serve-tasks.ts";
import { TASK_CAPABILITIES } from "./task-support.ts";

const INSTRUCTIONS =
  "These tools act on the person's own computer. The person sees each call that matters and allows or denies it, so an answer may take a while.";

/**
 * One MCP server over one agent, for one connection or one HTTP request, of either protocol era. It
 * decides nothing: what is offered and what is answered comes from the port.
 */
export function mcpServer(
  port: AgentPort,
  version: string,
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

  server.setRequestHandler("tools/list", async () => {
    const offer = await offerOf(port);
    return { tools: [...toolsOf(offer), ...(clientTool === null ? [] : [clientTool.tool])] };
  });
  serveCalls(server, port, clientTool);
  serveTasks(server, port);
  server.setRequestHandler("resources/list", async () => ({
    resources: [...listedFolders(await offerOf(port))],
  }));
  server.setRequestHandler("resources/templates/list", async () => ({
    resourceTemplates: [RESOURCE_TEMPLATE],
  }));
  server.setRequestHandler("resources/read", ({ params }, ctx) =>
    readResource(port, params.uri, waitingOf(ctx)),
  );
  return server;
}

/** Null: not connected, and only the wish to be is on offer. */
async function offerOf(port: AgentPort): Promise<Offer | null> {
  try {
    return await port.offer();
  } catch (error) {
    if (unavailableIn(error) !== null) return null;
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

/** Asks the person for permissions that are not granted; without any on offer, to be connected at all. */
function permissionTool(scopes: Offer["scopes"]): Tool {
  const missing = scopes.filter(({ granted }) => !granted);
  const named = missing.map(({ id, label }) => `${id} (${label})`).join(", ");
  const description =
    scopes.length === 0
      ? "Asks the person to connect this app to Consentry. Nothing else can be used before that."
      : missing.length === 0
        ? "Every permission is granted already."
        : `Asks the person for permissions that are not granted yet: ${named}. Ask only for what the task needs.`;
  return {
    name: REQUEST_PERMISSION,
    title: "Ask for permission",
    description,
    inputSchema: {
      type: "object",
      properties: {
        permissions: {
          type: "array",
          items:
            missing.length === 0
              ? { type: "string" }
              : { type: "string", enum: missing.map(({ id }) => id) },
          description: "Ids of the permissions.",
        },
      },
      ...(scopes.length === 0 ? {} : { required: ["permissions"] }),
    },
    annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: false },
  };
}

const collectTool: Tool = {
  name: COLLECT_ANSWER,
  title: "Collect an answer",
  description:
    "Collects the answer to a call that was still waiting for the person or running, by its ticket.",
  inputSchema: {
    type: "object",
    properties: {
      ticket: { type: "string", description: "From the answer that was given first." },
    },
    required: ["ticket"],
    additionalProperties: false,
  },
  annotations: { readOnlyHint: true, openWorldHint: false },
};

const RESOURCE_TEMPLATE: ResourceTemplateType = {
  uriTemplate: "file:///{+path}",
  name: "file",
  title: "A file or folder in the folders that the person opened",
};

/** The folders that the person gave the agent; what is in them is read one by one. */
export const listedFolders = (offer: Offer | null): readonly Resource[] =>
  (offer?.folders ?? []).map((path) => ({
    uri: pathToFileURL(path).href,
    name: basename(path),
    mimeType: "inode/directory",
  }));

/** Reads a file, or lists a folder: the same calls as the tools make, asked about and logged like them. */
async function readResource(
  port: AgentPort,
  uri: string,
  waiting: Waiting,
): Promise<ReadResourceResult> {
  const path = pathOf(uri);
  try {
    const read = await port.call("read_file", { path }, waiting);
    const isFolder = read.kind === "refused" && read.reason === "is_a_directory";
    if (isFolder) return listing(uri, await port.call("list_directory", { path }, waiting));
    const isBinary = read.kind === "refused" && read.reason === "not_text";
    const answer = isBinary
      ? await port.call("read_file", { path, encoding: "base64" }, waiting)
      : read;
    return contents(uri, resultOf(answer));
  } catch (error) {
    const why = unavailableIn(error);
    if (why !== null) throw refused(unavailableText(why).text);
    throw error;
  }
}

function pathOf(uri: string): string {
  try {
    return fileURLToPath(uri);
  } catch {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Only file: resources can be read.");
  }
}

function listing(uri: string, answer: CallAnswer): ReadResourceResult {
  const text = JSON.stringify(resultOf(answer));
  return { contents: [{ uri, mimeType: "application/json", text }] };
}

function contents(uri: string, result: JsonObject): ReadResourceResult {
  const content = typeof result.content === "string" ? result.content : "";
  return {
    contents: [result.encoding === "base64" ? { uri, blob: content } : { uri, text: content }],
  };
}

function resultOf(answer: CallAnswer): JsonObject {
  if (answer.kind !== "ok") throw refused(wordsOfCall(answer).text);
  const result: JsonValue = answer.result;
  return isJsonObject(result) ? result : {};
}

const refused = (text: string) => new ProtocolError(ProtocolErrorCode.InternalError, text);
