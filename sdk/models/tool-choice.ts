/**
 * Whether the model calls a tool: it decides; at least one; this one; none. `name` is the name in the
 * manifest, not the model's.
 */
export type ToolChoice =
  | { readonly mode: "auto" }
  | { readonly mode: "any" }
  | { readonly mode: "tool"; readonly name: string }
  | { readonly mode: "none" };

/** What definitions and choices need to know about a tool of a manifest or a forced output. */
export interface OfferedTool {
  readonly name: string;
  readonly modelName: string;
  readonly description: string;
  readonly inputSchema: { readonly type: "object"; readonly [key: string]: unknown };
}

/** @throws RangeError when no such tool is offered */
export function modelNameOf(tools: readonly OfferedTool[], name: string): string {
  const tool = tools.find((each) => each.name === name);
  if (tool === undefined) throw new RangeError(`tool_not_offered: ${name}`);
  return tool.modelName;
}
