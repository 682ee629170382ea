import type { LanguageModel } from "ai";
import type { JsonObject, JsonValue } from "../../app/contract/json.ts";
import type { Sandboxes } from "../sandboxes/sandboxes.ts";

/** What a tool gets besides its input. */
export interface ToolRun {
  /** The request's `context`, with this tool's `toolContext` over it. */
  readonly context: JsonObject;
  /** The name of the key that the request came with. */
  readonly key: string;
  readonly sandboxes: Sandboxes;
  /** The model of the chat, for tools that write with it. */
  readonly model: LanguageModel;
  /** Aborted when the request is out of time or its client has gone. */
  readonly signal: AbortSignal;
  /** Tells a streaming client what is known so far, or how it goes. */
  report(output: JsonValue): void;
}

/**
 * A tool that runs here, on the server. A module in the tools' folder exports one as its default.
 * Inputs are named in snake_case.
 */
export interface HostTool {
  readonly name: string;
  /** What the model decides by. */
  readonly description: string;
  /** JSON Schema 2020-12 of an object. */
  readonly inputSchema: JsonObject & { readonly type: "object" };
  /** Keys that must be in the context, or the tool is not offered. */
  readonly requiredContext: readonly string[];
  /** Resolves with the output. What it throws as a `HostToolError` goes to the model as the output. */
  execute(input: JsonObject, run: ToolRun): Promise<JsonValue>;
}

/** A failure that the model should read. */
export class HostToolError extends Error {
  override readonly name = "HostToolError";
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** @throws TypeError naming what a module's default export lacks */
export function asHostTool(value: unknown, module: string): HostTool {
  const tool = (value ?? {}) as Partial<HostTool>;
  const faults = [
    typeof tool.name === "string" && NAME.test(tool.name) ? [] : ["name"],
    typeof tool.description === "string" && tool.description !== "" ? [] : ["description"],
    tool.inputSchema?.type === "object" ? [] : ["inputSchema"],
    Array.isArray(tool.requiredContext) ? [] : ["requiredContext"],
    typeof tool.execute === "function" ? [] : ["execute"],
  ].flat();
  if (faults.length > 0) throw new TypeError(`${module}: no tool (${faults.join(", ")})`);
  return tool as HostTool;
}
