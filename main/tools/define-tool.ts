import type { JsonObject, JsonValue } from "../../app/contract/json.ts";
import {
  type Held,
  type Preflight,
  type Preview,
  type PreviewContext,
  type Tool,
  type ToolContext,
  toolFailure,
} from "../../app/execution/ports.ts";

/** The parts of a `ToolContract` that give a tool its types and are checked at run time. */
interface Guards<Arguments, Result> {
  readonly acceptsArguments: (args: unknown) => args is Arguments;
  readonly isResult: (result: unknown) => result is Result;
}

/** A `Tool` with its contract's types. Steps left out behave as for a tool that can always run. */
interface Steps<Arguments, Result> {
  available?(): boolean;
  preflight?(args: Arguments, held: Held): Preflight | null;
  preview?(args: Arguments, context: PreviewContext): Promise<Preview>;
  run(args: Arguments, context: ToolContext): Promise<Result>;
}

/**
 * A tool that receives only arguments its contract accepts, and returns only results its contract
 * allows. The chain has already refused other arguments (contract §2.4).
 */
export function defineTool<Arguments, Result extends JsonValue>(
  contract: Guards<Arguments, Result>,
  steps: Steps<Arguments, NoInfer<Result>>,
): Tool {
  const { available = () => true, preflight = () => null, preview } = steps;
  const checked = (args: JsonObject): Arguments => {
    if (!contract.acceptsArguments(args)) throw toolFailure("internal_error");
    return args;
  };
  return {
    available,
    preflight: (args, held) => preflight(checked(args), held),
    ...(preview && { preview: async (args, context) => preview(checked(args), context) }),
    async run(args, context) {
      const result = await steps.run(checked(args), context);
      if (!contract.isResult(result)) throw toolFailure("internal_error");
      return result;
    },
  };
}
