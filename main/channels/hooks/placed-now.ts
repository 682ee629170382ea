import { type FoundLine, lineOf } from "../../../app/contract/command-line.ts";
import type { JsonObject, JsonValue } from "../../../app/contract/json.ts";
import type { Tool } from "../../../app/execution/ports.ts";
import { foundLine } from "./found-line.ts";
import { realPlace } from "./real-place.ts";
import type { SecondReader } from "./second-reader.ts";

const PATHS: ReadonlySet<string> = new Set(["path", "from", "to", "directory", "paths"]);

/** The same call with every link of its paths resolved, as things are now. Null: that cannot be told. */
export const placedNow =
  (reader: SecondReader): NonNullable<Tool["placed"]> =>
  async (args, { project, path }) => {
    try {
      const entries = Object.entries(args).map(async ([name, value]) => [
        name,
        PATHS.has(name) ? await valuePlaced(value) : value,
      ]);
      const placed: JsonObject = Object.fromEntries(await Promise.all(entries));
      const folders = await Promise.all(project.map((folder) => realPlace(folder)));
      return { args: placed, project: folders, line: await lineIn(placed, path, reader) };
    } catch {
      return null;
    }
  };

async function lineIn(
  args: JsonObject,
  path: string | null,
  reader: SecondReader,
): Promise<FoundLine | null> {
  const { shell = "sh", directory } = args;
  const line = lineOf(args);
  if (line === null || typeof directory !== "string") return null;
  return foundLine(line, { isShell: shell === "sh", directory, path, reader });
}

const valuePlaced = async (value: JsonValue): Promise<JsonValue> => {
  if (typeof value === "string") return realPlace(value);
  return Array.isArray(value) ? Promise.all(value.map(valuePlaced)) : value;
};
