import {
  ProtocolError,
  ProtocolErrorCode,
  type Result,
  type Server,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import Type from "typebox";
import { guardOf } from "../../../app/contract/checked.ts";
import type { JsonObject } from "../../../app/contract/json.ts";
import { type AgentPort, unavailableIn, type Waiting } from "./agent-port.ts";
import {
  COLLECT_ANSWER,
  REQUEST_PERMISSION,
  toolResult,
  unavailableText,
  wordsOfAsking,
  wordsResult,
} from "./answer-words.ts";
import type { CallProgress } from "./call-answer.ts";
import { createdTask, formOf, type TaskForm, taskRequestOf } from "./task-support.ts";

/** A tool for the client itself, beside those of the agent. */
export interface ClientTool {
  readonly tool: Tool;
  /** @returns the text that the client reads */
  call(args: JsonObject): Promise<string>;
}

const isToolCall = guardOf(
  Type.Object({
    name: Type.String(),
    arguments: Type.Optional(Type.Unsafe<JsonObject>(Type.Object({}))),
  }),
);

export function serveCalls(server: Server, port: AgentPort, clientTool: ClientTool | null): void {
  // A handler of `tools/call` may only answer with results of tools, and a task is none.
  server.fallbackRequestHandler = async ({ method, params }, ctx) => {
    if (method !== "tools/call") throw notFound();
    if (!isToolCall(params))
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid call");
    const { name, arguments: args = {} } = params;
    if (name === clientTool?.tool.name) {
      return { content: [{ type: "text", text: await clientTool.call(args) }] };
    }
    const task = taskRequestOf(params, ctx);
    const isOwnTool = name === REQUEST_PERMISSION || name === COLLECT_ANSWER;
    if (isOwnTool && task?.at_once) throw notFound();
    const waiting = isOwnTool || task === undefined ? waitingOf(ctx) : { ...waitingOf(ctx), task };
    return callTool(port, name, args, waiting, formOf(ctx));
  };
}

const notFound = () => new ProtocolError(ProtocolErrorCode.MethodNotFound, "Method not found");

async function callTool(
  port: AgentPort,
  name: string,
  args: JsonObject,
  waiting: Waiting,
  form: TaskForm,
): Promise<Result> {
  try {
    switch (name) {
      case REQUEST_PERMISSION: {
        const { permissions } = args;
        const scopes = Array.isArray(permissions) ? permissions.map(String) : [];
        const answer = await port.ask(scopes, waiting);
        return wordsResult(wordsOfAsking(answer), answer.kind !== "granted");
      }
      case COLLECT_ANSWER:
        return toolResult(await port.collect(String(args.ticket), waiting));
      default: {
        const answer = await port.call(name, args, waiting);
        return answer.kind === "parked" && waiting.task !== undefined
          ? createdTask(answer.task, form)
          : toolResult(answer);
      }
    }
  } catch (error) {
    const why = unavailableIn(error);
    if (why !== null) return wordsResult(unavailableText(why), true);
    throw error;
  }
}

/** How a client waits for the answer to its request: told every 10 s if it asked for that. */
export function waitingOf({ mcpReq }: ServerContext): Waiting {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return { signal: mcpReq.signal, progress: null };
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
  return { signal: mcpReq.signal, progress };
}
