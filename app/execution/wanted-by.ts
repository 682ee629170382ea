import { catalogueEntry } from "../contract/catalogue.ts";
import type { ConsentRequest } from "../contract/consent-request.ts";
import type { Held, Preflight, ToolBox } from "./ports.ts";

/** What the tool says of a call before it runs; undefined: there is no such tool. */
export function wantedBy(
  tools: ToolBox,
  call: Pick<ConsentRequest, "tool_name" | "arguments">,
  held: Held,
): Preflight | null | undefined {
  const entry = catalogueEntry(call.tool_name);
  return entry && tools.tool(entry)?.preflight(call.arguments, held);
}
