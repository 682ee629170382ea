import Type from "typebox";
import { Value } from "typebox/value";
import { guardOf } from "../../app/contract/checked.ts";
import { type JsonObject, ownValue } from "../../app/contract/json.ts";
import { apiError } from "../http/api-error.ts";
import type { HostTool } from "../tools/host-tool.ts";

/** Limits of one request. */
export const CHAT_LIMITS = {
  bodyBytes: 1_048_576,
  messages: 500,
  tools: 128,
  modelChars: 256,
} as const;

const Strict = { additionalProperties: false };
const Role = Type.Union([Type.Literal("system"), Type.Literal("user"), Type.Literal("assistant")]);
const Context = Type.Record(Type.String(), Type.Unknown());

const TextPart = Type.Object(
  {
    type: Type.Literal("text"),
    text: Type.String(),
    state: Type.Optional(Type.Literal("done")),
  },
  Strict,
);

const tool = {
  type: Type.Literal("dynamic-tool"),
  toolName: Type.String({ minLength: 1 }),
  toolCallId: Type.String({ minLength: 1 }),
  input: Type.Unknown(),
};

/** A tool call and, once it has ended, its result. */
const ToolPart = Type.Union([
  Type.Object({ ...tool, state: Type.Literal("output-available"), output: Type.Unknown() }, Strict),
  Type.Object({ ...tool, state: Type.Literal("input-available") }, Strict),
]);

/** A message of an answer, as in `data.messages`; it may be sent back unchanged. */
export const HistoryMessage = Type.Object(
  {
    id: Type.String({ minLength: 1 }),
    role: Role,
    parts: Type.Array(Type.Union([TextPart, ToolPart])),
  },
  Strict,
);
export type HistoryMessage = Type.Static<typeof HistoryMessage>;

const TextMessage = Type.Object({ role: Role, content: Type.String() }, Strict);

const CONTEXT_STRATEGIES = ["error", "skip", "report"] as const;

/** `POST /api/v1/chat` */
export const ChatRequest = Type.Object(
  {
    /** `provider/name` */
    model: Type.String({ pattern: "^[^/]+/.+$", maxLength: CHAT_LIMITS.modelChars }),
    messages: Type.Array(Type.Union([TextMessage, HistoryMessage]), {
      minItems: 1,
      maxItems: CHAT_LIMITS.messages,
    }),
    /** The tools that the model may call; absent: none. */
    allowedTools: Type.Optional(
      Type.Array(Type.String({ minLength: 1 }), {
        maxItems: CHAT_LIMITS.tools,
        uniqueItems: true,
      }),
    ),
    /** Context shared by all tools. */
    context: Type.Optional(Context),
    /** By tool name; overrides `context`. */
    toolContext: Type.Optional(Type.Record(Type.String(), Context)),
    /** What happens if a tool lacks its context. Default: `error`. */
    contextStrategy: Type.Optional(Type.Enum([...CONTEXT_STRATEGIES])),
    /** True: the request is checked, but not run. */
    validateOnly: Type.Optional(Type.Boolean()),
    /** True: server-sent events instead of one response. */
    stream: Type.Optional(Type.Boolean()),
  },
  Strict,
);
export type ChatRequest = Type.Static<typeof ChatRequest>;
const isChatRequest = guardOf(ChatRequest);

/** @throws ApiError BadRequest, with each fault and its JSON Pointer */
export function readChatRequest(body: unknown): ChatRequest {
  if (isChatRequest(body)) return body;
  const faults = [...Value.Errors(ChatRequest, body)].map(({ instancePath, keyword, message }) => ({
    path: instancePath,
    keyword,
    message,
  }));
  // A union reports the faults of all its members; the deepest one says most about what is wrong.
  const [first] = faults.toSorted((a, b) => b.path.length - a.path.length);
  const place = first?.path === undefined || first.path === "" ? "the body" : first.path;
  throw apiError("BadRequest", `Invalid request at ${place}: ${first?.message ?? "invalid"}`, {
    faults: faults.slice(0, 20),
  });
}

/** A tool with the context it will receive. */
export interface ReadyTool {
  readonly tool: HostTool;
  readonly context: JsonObject;
}

export interface ChosenTools {
  readonly ready: readonly ReadyTool[];
  readonly lacking: readonly { readonly tool: HostTool; readonly missing: readonly string[] }[];
}

/**
 * The tools that a request allows, separated by whether they have their context.
 * @throws ApiError NotFound for an unknown tool
 */
export function chooseTools(
  all: ReadonlyMap<string, HostTool>,
  { allowedTools = [], context = {}, toolContext = {} }: ChatRequest,
): ChosenTools {
  const unknown = [...allowedTools, ...Object.keys(toolContext)].filter((name) => !all.has(name));
  if (unknown.length > 0) {
    throw apiError("NotFound", `Unknown tool: ${unknown.join(", ")}`, { tools: unknown });
  }
  const judged = allowedTools.flatMap((name) => {
    const tool = all.get(name);
    if (tool === undefined) return [];
    const own = Object.hasOwn(toolContext, name) ? toolContext[name] : {};
    const merged = { ...context, ...own } as JsonObject;
    const missing = tool.requiredContext.filter((key) => isMissing(ownValue(merged, key)));
    return [{ tool, context: merged, missing }];
  });
  return {
    ready: judged.filter(({ missing }) => missing.length === 0),
    lacking: judged.filter(({ missing }) => missing.length > 0),
  };
}

const isMissing = (value: unknown): boolean =>
  value === undefined || value === null || value === "";

/** @throws ApiError BadRequest if a tool lacks its context */
export function refuseLacking({ lacking }: ChosenTools): void {
  if (lacking.length === 0) return;
  const missingContext = [...new Set(lacking.flatMap(({ missing }) => missing))];
  throw apiError("BadRequest", `Missing required context: ${missingContext.join(", ")}`, {
    missingContext,
    tools: lacking.map(({ tool }) => tool.name),
  });
}
