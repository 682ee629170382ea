import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { CATALOGUE, type ToolName } from "../../../app/contract/catalogue.ts";
import type { JsonObject, JsonValue } from "../../../app/contract/json.ts";
import { EXAMPLE_FOLDER } from "../../../app/contract/tools/tool-contract.ts";

/** Makes a folder what examples expect it to be. */
export function fillExampleFolder(folder: string): void {
  mkdirSync(join(folder, "old"), { recursive: true });
  writeFileSync(join(folder, "notes.txt"), "Hello\n");
}

/** The arguments of a tool's example, in this folder. */
export const exampleIn = (name: ToolName, folder: string): JsonObject =>
  moved(CATALOGUE.get(name)?.example ?? {}, folder) as JsonObject;

function moved(value: JsonValue, folder: string): JsonValue {
  if (typeof value === "string") return value.replace(EXAMPLE_FOLDER, folder);
  if (Array.isArray(value)) return value.map((each: JsonValue) => moved(each, folder));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, moved(each, folder)]));
}

/** The arguments of a file tool's example, with this path in place of its own. */
export function exampleAt(name: ToolName, path: string): JsonObject {
  const { example = {} } = CATALOGUE.get(name) ?? {};
  return "from" in example ? { ...example, from: path, to: `${path}2` } : { ...example, path };
}
