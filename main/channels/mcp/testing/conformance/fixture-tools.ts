import { setTimeout as pause } from "node:timers/promises";
import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ElicitRequestFormParams,
  type InputRequest,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  LOG_LEVEL_META_KEY,
  MissingRequiredClientCapabilityError,
  type ServerContext,
  type Tool,
} from "@modelcontextprotocol/server";
import { isJsonObject, ownValue } from "../../../../../app/contract/json.ts";
import { AUDIO, IMAGE } from "./fixture-media.ts";
import { ASKS } from "./fixture-questions.ts";

export interface FixtureParts {
  /** Signs what the client carries from one round of a call to the next. */
  mint(round: string): Promise<string>;
  /** Tells subscribers that a list has changed. */
  changed(list: "tools" | "prompts"): void;
}

type Answer = CallToolResult | InputRequiredResult;
interface FixtureTool extends Partial<Pick<Tool, "inputSchema">> {
  run(ctx: ServerContext, args: Readonly<Record<string, unknown>>): Answer | Promise<Answer>;
}

const text = (said: string): CallToolResult => ({ content: [{ type: "text", text: said }] });
const embedded = (uri: string, mimeType: string, said: string) =>
  ({ type: "resource", resource: { uri, mimeType, text: said } }) as const;

const NAME = inputRequired.elicit(ASKS.name);
const sampling = (said: string, maxTokens: number) =>
  inputRequired.createMessage({
    messages: [{ role: "user", content: { type: "text", text: said } }],
    maxTokens,
  });

const answersOf = ({ mcpReq }: ServerContext) => mcpReq.inputResponses;
/** Asks until the answers to all of these questions are there. */
const asking = (
  ctx: ServerContext,
  inputRequests: Readonly<Record<string, InputRequest>>,
  done: () => Answer,
  requestState?: string,
): Answer => {
  const isMissing = (key: string) => inputResponse(answersOf(ctx), key).kind === "missing";
  const spec = { inputRequests, ...(requestState === undefined ? {} : { requestState }) };
  return Object.keys(inputRequests).some(isMissing) ? inputRequired(spec) : done();
};
const elicited =
  (params: ElicitRequestFormParams): FixtureTool["run"] =>
  (ctx) =>
    asking(ctx, { answer: inputRequired.elicit(params) }, () =>
      text(`User response: ${JSON.stringify(inputResponse(answersOf(ctx), "answer"))}`),
    );

const logged = (ctx: ServerContext, data: string) =>
  ctx.mcpReq.notify({ method: "notifications/message", params: { level: "info", data } });

/** What the client says with this request that it can do. */
const canDo = ({ mcpReq }: ServerContext, what: string): boolean => {
  const said: unknown = Reflect.get(mcpReq.envelope ?? {}, CLIENT_CAPABILITIES_META_KEY);
  return isJsonObject(said) && ownValue(said, what) !== undefined;
};

const CONTENT: Readonly<Record<string, CallToolResult>> = {
  test_simple_text: text("This is a simple text response for testing."),
  test_image_content: { content: [IMAGE] },
  test_audio_content: { content: [AUDIO] },
  test_embedded_resource: {
    content: [embedded("test://embedded-resource", "text/plain", "An embedded resource.")],
  },
  test_multiple_content_types: {
    content: [
      { type: "text", text: "Multiple content types test:" },
      IMAGE,
      embedded("test://mixed-content-resource", "application/json", '{"test":"data"}'),
    ],
  },
  test_error_handling: { ...text("This tool always fails."), isError: true },
};

/** The tools that the scenarios call, by name. */
export function fixtureTools(parts: FixtureParts): ReadonlyMap<string, FixtureTool> {
  const contents = Object.entries(CONTENT).map(
    ([name, result]) => [name, { run: () => result }] as const,
  );
  const tools: Readonly<Record<string, FixtureTool["run"]>> = {
    greet: (_ctx, { name }) => text(`Hello, ${name}!`),
    async test_tool_with_logging(ctx) {
      for (const step of ["started", "processing data", "completed"]) {
        await logged(ctx, `Tool ${step}`);
        await pause(50);
      }
      return text("Logged.");
    },
    async test_tool_with_progress(ctx) {
      const progressToken = ctx.mcpReq._meta?.progressToken;
      for (const progress of [0, 50, 100]) {
        if (progressToken !== undefined) {
          const params = { progressToken, progress, total: 100 };
          await ctx.mcpReq.notify({ method: "notifications/progress", params });
        }
        await pause(50);
      }
      return text("Done.");
    },
    test_sampling: (ctx, { prompt }) =>
      asking(ctx, { answer: sampling(String(prompt), 100) }, () =>
        text(`LLM response: ${JSON.stringify(inputResponse(answersOf(ctx), "answer"))}`),
      ),
    test_elicitation: (ctx, args) =>
      elicited({ ...ASKS.account, message: String(args.message) })(ctx, args),
    test_elicitation_sep1034_defaults: elicited(ASKS.defaults),
    test_elicitation_sep1330_enums: elicited(ASKS.choices),
    test_missing_capability(ctx) {
      if (!canDo(ctx, "sampling")) {
        throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } });
      }
      return text("The client can sample.");
    },
    test_input_required_result_elicitation: (ctx) => {
      const name = acceptedContent<{ name?: unknown }>(answersOf(ctx), "user_name")?.name;
      return typeof name === "string"
        ? text(`Hello, ${name}!`)
        : inputRequired({ inputRequests: { user_name: NAME } });
    },
    test_input_required_result_sampling: (ctx) =>
      asking(ctx, { capital_question: sampling("What is the capital of France?", 100) }, () =>
        text(JSON.stringify(inputResponse(answersOf(ctx), "capital_question"))),
      ),
    test_input_required_result_list_roots: (ctx) =>
      asking(ctx, { client_roots: inputRequired.listRoots() }, () =>
        text(JSON.stringify(inputResponse(answersOf(ctx), "client_roots"))),
      ),
    test_input_required_result_request_state: async (ctx) =>
      asking(
        ctx,
        { confirm: inputRequired.elicit(ASKS.confirm) },
        () => text(ctx.mcpReq.requestState() === "confirm" ? "state-ok" : "no state"),
        await parts.mint("confirm"),
      ),
    test_input_required_result_tampered_state: async (ctx) =>
      asking(
        ctx,
        { confirm: inputRequired.elicit(ASKS.confirm) },
        () => text("state-ok"),
        await parts.mint("tampered"),
      ),
    test_input_required_result_multiple_inputs: async (ctx) =>
      asking(
        ctx,
        {
          user_name: NAME,
          greeting: sampling("Generate a greeting", 50),
          client_roots: inputRequired.listRoots(),
        },
        () => text("All three came."),
        await parts.mint("several"),
      ),
    async test_input_required_result_multi_round(ctx) {
      const round = ctx.mcpReq.requestState<string>();
      const { step1, step2 } = {
        step1: inputRequired.elicit(ASKS.step1),
        step2: inputRequired.elicit(ASKS.step2),
      };
      if (round === undefined) {
        return inputRequired({ inputRequests: { step1 }, requestState: await parts.mint("1") });
      }
      if (round === "1") {
        return inputRequired({ inputRequests: { step2 }, requestState: await parts.mint("2") });
      }
      return text("Both rounds are over.");
    },
    test_input_required_result_capabilities: (ctx) =>
      asking(
        ctx,
        {
          ...(canDo(ctx, "elicitation") ? { user_name: NAME } : {}),
          ...(canDo(ctx, "sampling") ? { greeting: sampling("Generate a greeting", 50) } : {}),
        },
        () => text("Nothing to ask."),
      ),
    test_streaming_elicitation: elicited(ASKS.confirm),
    async test_logging_tool(ctx) {
      if (ctx.mcpReq._meta?.[LOG_LEVEL_META_KEY] !== undefined) await logged(ctx, "As wanted");
      return text("Done.");
    },
    test_trigger_tool_change() {
      parts.changed("tools");
      return text("Told.");
    },
    test_trigger_prompt_change() {
      parts.changed("prompts");
      return text("Told.");
    },
    json_schema_2020_12_tool: () => text("Done."),
  };
  return new Map<string, FixtureTool>([
    ...contents,
    ...Object.entries(tools).map(([name, run]) => [name, { run, ...schemaOf(name) }] as const),
  ]);
}

function schemaOf(name: string): Pick<FixtureTool, "inputSchema"> {
  const inputSchema = SCHEMAS[name];
  return inputSchema === undefined ? {} : { inputSchema };
}

const needs = (name: string): Tool["inputSchema"] => ({
  type: "object",
  properties: { [name]: { type: "string" } },
  required: [name],
});

const SCHEMAS: Readonly<Record<string, Tool["inputSchema"]>> = {
  test_sampling: needs("prompt"),
  test_elicitation: needs("message"),
  json_schema_2020_12_tool: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    $defs: {
      address: {
        $anchor: "addressDef",
        type: "object",
        properties: { street: { type: "string" }, city: { type: "string" } },
      },
    },
    properties: {
      name: { type: "string" },
      address: { $ref: "#/$defs/address" },
      contactMethod: { type: "string", enum: ["phone", "email"] },
      phone: { type: "string" },
      email: { type: "string" },
    },
    allOf: [{ anyOf: [{ required: ["phone"] }, { required: ["email"] }] }],
    if: { properties: { contactMethod: { const: "phone" } }, required: ["contactMethod"] },
    // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
    then: { required: ["phone"] },
    else: { required: ["email"] },
    additionalProperties: false,
  },
};
