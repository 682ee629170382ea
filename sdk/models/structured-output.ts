import type { JsonObject, JsonValue } from "../../app/contract/json.ts";
import { strictCheck } from "./argument-check.ts";
import type { ModelCall } from "./model-call.ts";
import { modelNames } from "./model-names.ts";
import { modelSchema } from "./model-schema.ts";
import type { OfferedTool, ToolChoice } from "./tool-choice.ts";

export type StructuredOutputFault =
  /** The model did not call the tool. */
  | "missing"
  /** The model did not call the tool with a JSON object. */
  | "not_json"
  /** It breaks the schema, at `pointer`. */
  | "schema_violation"
  /** The schema is outside the supported profile of JSON Schema 2020-12. */
  | "schema_unsupported";

export class StructuredOutputError extends Error {
  override readonly name = "StructuredOutputError";
  readonly code: StructuredOutputFault;
  /** RFC 6901, into what the model wrote; null for the other codes. */
  readonly pointer: string | null;
  constructor(code: StructuredOutputFault, pointer: string | null = null) {
    super(pointer === null ? code : `${code} at ${pointer === "" ? "the top level" : pointer}`);
    this.code = code;
    this.pointer = pointer;
  }
}

/** A tool that is never run: the model is made to call it, and its arguments are the answer. */
export interface StructuredOutput extends OfferedTool {
  readonly choice: ToolChoice;
  /** What the model filled in, checked. @throws StructuredOutputError */
  read(turn: { readonly calls: readonly ModelCall[] }): JsonValue;
}

/**
 * An answer in a fixed form: offer it among the tools, with its `choice`.
 * @param schema of an object
 * @throws StructuredOutputError `schema_unsupported`
 */
export function structuredOutput(
  name: string,
  description: string,
  schema: JsonObject,
): StructuredOutput {
  const check = strictCheck(schema);
  if (check === null) throw new StructuredOutputError("schema_unsupported");
  const modelName = modelNames([name]).get(name) ?? name;
  const { schema: inputSchema, note } = modelSchema(schema);
  return {
    name,
    modelName,
    description: note === null ? description : `${description}\n\n${note}`,
    inputSchema,
    choice: { mode: "tool", name },
    read({ calls }) {
      const call = calls.find((each) => each.modelName === modelName);
      if (call === undefined) throw new StructuredOutputError("missing");
      if (call.input === null) throw new StructuredOutputError("not_json");
      const violation = check(call.input);
      if (violation !== null)
        throw new StructuredOutputError("schema_violation", violation.pointer);
      return call.input;
    },
  };
}
