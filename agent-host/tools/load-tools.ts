import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { asHostTool, type HostTool } from "./host-tool.ts";

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
