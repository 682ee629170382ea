import { type Manifest, type ManifestTool, manifestScope } from "../../app/contract/manifest.ts";
import type { Sensitivity } from "../../app/contract/scopes.ts";
import { type ArgumentCheck, argumentCheck } from "./model-tools.ts";
import { modelNames } from "./model-tools.ts";
import { type ModelSchema, modelSchema } from "./model-tools.ts";

/** One tool as a model sees it. */
export interface ModelTool {
  /** The tool's name in the manifest. */
  readonly name: string;
  /** What the model calls it: the same name, unless model APIs refuse it. */
  readonly modelName: string;
  /** Tells the model when to call it. */
  readonly description: string;
  /** JSON Schema of the arguments, in a form that model APIs take. */
  readonly inputSchema: ModelSchema;
  /** As the manifest declares it; the person's client may be stricter. */
  readonly sensitivity: Sensitivity;
  /** Checks arguments against the manifest's whole schema. */
  readonly check: ArgumentCheck;
}

export interface ModelToolOptions {
  /** Descriptions for the model by tool name, used instead of the manifest's. */
  readonly descriptions?: Readonly<Record<string, string>>;
  /** The tools that are offered, by name; all of them when absent. */
  readonly only?: readonly string[];
}

/**
 * A manifest's tools, ready to be offered to a model.
 *
 * The description is, in this order: `descriptions[name]`; the tool's own `description` in the manifest;
 * its `description_fallback`; its name in words.
 */
export function modelTools(manifest: Manifest, options: ModelToolOptions = {}): ModelTool[] {
  const offered = manifest.tools.filter(({ name }) => options.only?.includes(name) ?? true);
  const names = modelNames(offered.map(({ name }) => name));
  return offered.map((tool) => {
    const { schema, note } = modelSchema(tool.input_schema);
    return {
      name: tool.name,
      modelName: names.get(tool.name) ?? tool.name,
      description: [describe(tool, options), note].filter((text) => text !== null).join("\n\n"),
      inputSchema: schema,
      sensitivity: manifestScope(manifest, tool.permission_scope)?.sensitivity ?? "high",
      check: argumentCheck(tool.input_schema),
    };
  });
}

function describe(tool: ManifestTool, { descriptions = {} }: ModelToolOptions): string {
  const given = Object.hasOwn(descriptions, tool.name) ? descriptions[tool.name] : undefined;
  const texts = [given, tool.description, tool.description_fallback];
  return texts.find((each) => each?.trim()) ?? tool.name.replaceAll("_", " ");
}
