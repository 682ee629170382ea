import { type JsonObject, ownValue } from "../../app/contract/json.ts";
import { ApiError } from "../http/api-error.ts";
import type { HostTool } from "../tools/host-tool.ts";
import type { ChatRequest } from "./chat-request.ts";

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
    throw new ApiError("NotFound", `Unknown tool: ${unknown.join(", ")}`, { tools: unknown });
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
  throw new ApiError("BadRequest", `Missing required context: ${missingContext.join(", ")}`, {
    missingContext,
    tools: lacking.map(({ tool }) => tool.name),
  });
}
