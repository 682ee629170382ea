import type { JsonValue } from "../../app/contract/json.ts";
import type { SchemaViolation } from "../../app/contract/json-schema/schema-violation.ts";
import { ToolCallError, ToolDeniedError, ToolFailedError } from "../errors.ts";
import { adviceFor, type OutcomeCode, outcomeCodeOf } from "./tool-outcome.ts";
import type { ModelCall } from "./model-turn.ts";

/** How one call ended, ready to go back to the model. */
export type ToolOutcome =
  | {
      readonly id: string;
      readonly modelName: string;
      readonly isError: false;
      /** What the model reads: the result itself when it is a text, else its JSON. */
      readonly text: string;
      readonly result: JsonValue;
    }
  | {
      readonly id: string;
      readonly modelName: string;
      readonly isError: true;
      /** What the model reads: the code, and in one sentence what to do next. */
      readonly text: string;
      readonly code: OutcomeCode;
    };

export const succeeded = ({ id, modelName }: ModelCall, result: JsonValue): ToolOutcome => ({
  id,
  modelName,
  isError: false,
  text: typeof result === "string" ? result : JSON.stringify(result),
  result,
});

/** @param violation where the arguments are wrong, when that is known */
export const failed = (
  { id, modelName }: ModelCall,
  code: OutcomeCode,
  violation?: SchemaViolation,
): ToolOutcome => ({
  id,
  modelName,
  isError: true,
  text: `${code}: ${adviceFor(code, violation)}`,
  code,
});

/** What the person told the agent comes last, so that the code stays at the beginning. */
const deniedWith = (call: ModelCall, { reason, told }: ToolDeniedError): ToolOutcome => {
  const outcome = failed(call, reason);
  return told === undefined ? outcome : { ...outcome, text: `${outcome.text} They say: ${told}` };
};

/** @throws whatever is not a ToolCallError: an error in the program, not an answer for the model */
export function failedWith(call: ModelCall, error: unknown): ToolOutcome {
  if (error instanceof ToolFailedError) return failed(call, error.reason, error.violation);
  if (error instanceof ToolDeniedError) return deniedWith(call, error);
  if (error instanceof ToolCallError) return failed(call, outcomeCodeOf(error));
  throw error;
}

/** Nothing has run, and there is room again once another request is answered. */
export const isQueueFull = (error: unknown): boolean =>
  error instanceof ToolFailedError && error.reason === "consent_queue_full";
