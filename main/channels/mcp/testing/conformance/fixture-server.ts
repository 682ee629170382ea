import { randomBytes } from "node:crypto";
import {
  createRequestStateCodec,
  type GetPromptResult,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  Server,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import { toolResult } from "../../answer-words.ts";
import { serveTasks } from "../../serve-tasks.ts";
import {
  createdTask,
  formOf,
  requireTasks,
  TASK_CAPABILITIES,
  taskRequestOf,
} from "../../task-support.ts";
import { IMAGE } from "./fixture-media.ts";
import { ASKS } from "./fixture-questions.ts";
import type { FixtureTasks } from "./fixture-tasks.ts";
import { type FixtureParts, fixtureTools } from "./fixture-tools.ts";

const codec = createRequestStateCodec<string>({ key: randomBytes(32) });
const NO_ARGUMENTS: Tool["inputSchema"] = { type: "object" };
const TEMPLATE = /^test:\/\/template\/(?<id>[^/]+)\/data$/;

/** What the scenarios of the conformance suite expect of a server: its tools, resources and prompts. */
export function fixtureServer(changed: FixtureParts["changed"], tasks: FixtureTasks): Server {
  const known = fixtureTools({ mint: (round) => codec.mint(round), changed });
  const server = new Server(
    { name: "consentry-conformance", version: "1.0.0" },
    {
      capabilities: {
        tools: { listChanged: true },
        resources: { subscribe: true, listChanged: true },
        prompts: { listChanged: true },
        completions: {},
        logging: {},
        ...TASK_CAPABILITIES,
      },
      requestState: { verify: codec.verify },
    },
  );
  server.setRequestHandler("tools/list", async () => ({
    tools: [...known, ...TASK_TOOLS].map(([name, { inputSchema = NO_ARGUMENTS }]) => ({
      name,
      description: name,
      inputSchema,
    })),
  }));
  serveTasks(server, tasks);
  server.setRequestHandler("tools/call", async ({ params }, ctx) => {
    if (params.name === "failing_job") requireTasks(ctx);
    const job = tasks.start(params.name, params.arguments ?? {});
    // A handler of `tools/call` may only answer with results of tools, so the task stands beside none.
    if (job !== null)
      return taskRequestOf(params, ctx) === undefined
        ? toolResult(await job.call)
        : { content: [], ...createdTask(job.task, formOf(ctx)) };
    const tool = known.get(params.name);
    if (tool === undefined) throw invalid(`There is no tool ${params.name}.`);
    return tool.run(ctx, params.arguments ?? {});
  });
  server.setRequestHandler("resources/list", async () => ({
    resources: ["test://static-text", "test://static-binary", "test://watched-resource"].map(
      (uri) => ({ uri, name: uri }),
    ),
  }));
  server.setRequestHandler("resources/templates/list", async () => ({
    resourceTemplates: [{ uriTemplate: "test://template/{id}/data", name: "template" }],
  }));
  server.setRequestHandler("resources/read", async ({ params }) => resource(params.uri));
  server.setRequestHandler("resources/subscribe", async () => ({}));
  server.setRequestHandler("resources/unsubscribe", async () => ({}));
  server.setRequestHandler("prompts/list", async () => ({
    prompts: Object.entries(PROMPTS).map(([name, names]) => ({
      name,
      description: name,
      arguments: names.map((each) => ({ name: each, description: each, required: true })),
    })),
  }));
  server.setRequestHandler("prompts/get", async ({ params }, ctx) =>
    prompt(params.name, params.arguments ?? {}, ctx),
  );
  server.setRequestHandler("completion/complete", async () => ({ completion: { values: [] } }));
  return server;
}

const TASK_TOOLS: readonly (readonly [string, { inputSchema?: Tool["inputSchema"] }])[] = [
  ["slow_compute", {}],
  ["failing_job", {}],
];

const invalid = (why: string, data?: object) =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, why, data);

function resource(uri: string): ReadResourceResult {
  const id = TEMPLATE.exec(uri)?.groups?.id;
  if (id !== undefined) {
    const text = JSON.stringify({ id, templateTest: true });
    return { contents: [{ uri, mimeType: "application/json", text }] };
  }
  if (uri === "test://static-binary") {
    return { contents: [{ uri, mimeType: IMAGE.mimeType, blob: IMAGE.data }] };
  }
  if (!["test://static-text", "test://watched-resource"].includes(uri)) {
    throw invalid("There is no such resource.", { uri });
  }
  return { contents: [{ uri, mimeType: "text/plain", text: "A static text resource." }] };
}

/** The prompts, with the names of their arguments. */
const PROMPTS: Readonly<Record<string, readonly string[]>> = {
  test_simple_prompt: [],
  test_prompt_with_arguments: ["arg1", "arg2"],
  test_prompt_with_embedded_resource: ["resourceUri"],
  test_prompt_with_image: [],
  test_input_required_result_prompt: [],
};

type Content = GetPromptResult["messages"][number]["content"];

function prompt(
  name: string,
  args: Readonly<Record<string, string>>,
  { mcpReq }: ServerContext,
): GetPromptResult | InputRequiredResult {
  const says = (...contents: readonly Content[]): GetPromptResult => ({
    messages: contents.map((content) => ({ role: "user", content })),
  });
  const text = (said: string): Content => ({ type: "text", text: said });
  switch (name) {
    case "test_simple_prompt":
      return says(text("This is a simple prompt for testing."));
    case "test_prompt_with_arguments":
      return says(text(`arg1='${args.arg1}', arg2='${args.arg2}'`));
    case "test_prompt_with_embedded_resource": {
      const uri = args.resourceUri ?? "";
      const resource = { uri, mimeType: "text/plain", text: "Embedded." };
      return says({ type: "resource", resource }, text("Please process the resource above."));
    }
    case "test_prompt_with_image":
      return says(IMAGE, text("Please analyze the image above."));
    case "test_input_required_result_prompt":
      return inputResponse(mcpReq.inputResponses, "user_context").kind === "missing"
        ? inputRequired({ inputRequests: { user_context: inputRequired.elicit(ASKS.context) } })
        : says(text("The context is there."));
    default:
      throw invalid(`There is no prompt ${name}.`);
  }
}
