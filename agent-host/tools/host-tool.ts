import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { errorKind } from "../../app/contract/coded-error.ts";
import type { JsonObject, JsonValue } from "../../app/contract/json.ts";
import type { CallableModel } from "../providers.ts";
import type { Sandboxes } from "../sandboxes/sandboxes.ts";

/** What a tool receives besides its input. */
export interface ToolRun {
  /** The request's `context`, overridden by this tool's `toolContext`. */
  readonly context: JsonObject;
  /** The name of the key that authenticated the request. */
  readonly key: string;
  readonly sandboxes: Sandboxes;
  /** The chat's model, for tools that generate text; what that takes counts as the chat's. */
  readonly model: CallableModel;
  /** Aborted when the request is out of time or its client has disconnected. */
  readonly signal: AbortSignal;
  /** Sends a streaming client a partial output or the progress. */
  report(output: JsonValue): void;
}

/**
 * A tool that runs on the server. A module in a tools folder has one as its default export. Inputs
 * are named in snake_case.
 */
export interface HostTool {
  readonly name: string;
  /** The model decides by this when to call it. */
  readonly description: string;
  /** JSON Schema 2020-12 for an object. */
  readonly inputSchema: JsonObject & { readonly type: "object" };
  /** Keys that must be in the context, or the tool is not offered. */
  readonly requiredContext: readonly string[];
  /** Resolves with the output. A `HostToolError` is passed to the model as the output. */
  execute(input: JsonObject, run: ToolRun): Promise<JsonValue>;
}

/** A failure that the model should read. */
export const hostToolError = errorKind<string, { readonly isRefusal: boolean }>("HostToolError");

const NAME = /^[a-z][a-z0-9_]{0,63}$/;

/** @throws TypeError naming what is wrong with a module's default export */
function asHostTool(value: unknown, module: string): HostTool {
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

/** The tools that ship with the host. */
export const SHIPPED_TOOLS = fileURLToPath(new URL("./shipped", import.meta.url));

const isModule = (file: string): boolean =>
  /\.(?:ts|js|mjs)$/.test(file) && !/\.(?:test|d)\.ts$/.test(file);

/**
 * Every module in these folders, plus these tools, by name.
 * @throws TypeError for a module that is not a tool, or a duplicate name
 */
export async function loadTools(
  folders: readonly string[],
  more: readonly HostTool[] = [],
): Promise<ReadonlyMap<string, HostTool>> {
  const tools = new Map<string, HostTool>();
  for (const folder of folders) {
    for (const file of (await readdir(folder)).filter(isModule).toSorted()) {
      const module = await import(pathToFileURL(join(folder, file)).href);
      add(tools, asHostTool(module.default, file), file);
    }
  }
  for (const tool of more) add(tools, tool, "the paired agent");
  return tools;
}

function add(tools: Map<string, HostTool>, tool: HostTool, from: string): void {
  if (tools.has(tool.name)) throw new TypeError(`${from}: "${tool.name}" is there already`);
  tools.set(tool.name, tool);
}
