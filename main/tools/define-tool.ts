import type { JsonObject, JsonValue } from "../../app/contract/json.ts";
import {
  type Held,
  type Preflight,
  type Preview,
  type PreviewContext,
  type Tool,
  type ToolContext,
  ToolFailure,
} from "../../app/execution/ports.ts";

/** What of a `ToolContract` types its tool, and holds it to that. */
interface Guards<Arguments, Result> {
  readonly acceptsArguments: (args: unknown) => args is Arguments;
  readonly isResult: (result: unknown) => result is Result;
}

/** A `Tool` with its contract's types; what it leaves out is as for a tool that can always run. */
interface Steps<Arguments, Result> {
  available?(): boolean;
  preflight?(args: Arguments, held: Held): Preflight | null;
  preview?(args: Arguments, context: PreviewContext): Promise<Preview>;
  run(args: Arguments, context: ToolContext): Promise<Result>;
}

/**
 * A tool that sees only arguments its contract takes and gives only results its contract promises.
 * The chain has refused other arguments long before (contract §2.4).
 */
export function defineTool<Arguments, Result extends JsonValue>(
  contract: Guards<Arguments, Result>,
  steps: Steps<Arguments, NoInfer<Result>>,
): Tool {
  const { available = () => true, preflight = () => null, preview } = steps;
  const checked = (args: JsonObject): Arguments => {
    if (!contract.acceptsArguments(args)) throw new ToolFailure("internal_error");
    return args;
  };
  return {
    available,
    preflight: (args, held) => preflight(checked(args), held),
    ...(preview && { preview: async (args, context) => preview(checked(args), context) }),
    async run(args, context) {
      const result = await steps.run(checked(args), context);
      if (!contract.isResult(result)) throw new ToolFailure("internal_error");
      return result;
    },
  };
}
