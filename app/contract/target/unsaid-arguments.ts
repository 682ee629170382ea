import { assertNever } from "../assert-never.ts";
import type { JsonObject } from "../json.ts";
import type { CallTarget, TargetedCall } from "./target.ts";

/**
 * The arguments that neither heading nor preview shows: these stay visible. The others may be folded
 * away, because the same is shown above.
 */
export function unsaidArguments(
  call: Omit<TargetedCall, "folders">,
  target: CallTarget,
): JsonObject {
  const said = new Set([...target.says, ...shownArguments(call)]);
  return Object.fromEntries(Object.entries(call.arguments).filter(([name]) => !said.has(name)));
}

/** The arguments whose whole effect the preview draws. */
function shownArguments({ arguments: args, preview }: Omit<TargetedCall, "folders">): string[] {
  if (preview === null) return [];
  switch (preview.kind) {
    case "text_change":
      return preview.change === "edit" ? ["edits"] : ["content", "encoding"];
    case "image":
      return preview.drawable ? ["image"] : [];
    case "command":
      return (args.network ?? false) === preview.network ? ["network"] : [];
    case "bytes_change":
    case "entry":
    case "not_shown":
      return [];
    default:
      return assertNever(preview);
  }
}
