import { Ajv2020 } from "ajv/dist/2020.js";
import { isJsonObject, type JsonValue } from "../json.ts";
import { TAUGHT_KEYWORDS } from "./ajv-keywords.ts";
import type { SchemaViolation } from "./evaluation.ts";

/** Ajv's answer for one value: `undefined` when it is valid. */
export type AjvCheck = (value: JsonValue) => SchemaViolation | undefined;

/**
 * Compiles a normalised schema with an Ajv of its own: nothing is shared between agents. Ajv writes
 * and runs code, so this belongs in a worker that can be killed.
 *
 * @throws Error when Ajv cannot compile the schema
 */
export function compileWithAjv(normalised: JsonValue): AjvCheck {
  const validate = freshAjv().compile(isJsonObject(normalised) ? { ...normalised } : false);
  return (value) => {
    if (validate(value)) return undefined;
    const { instancePath, keyword } = validate.errors?.at(-1) ?? { instancePath: "", keyword: "" };
    return { pointer: instancePath, keyword: keyword === "false schema" ? "false" : keyword };
  };
}

function freshAjv(): Ajv2020 {
  const ajv = new Ajv2020({
    strict: false,
    // The profile has already checked the schema's form.
    meta: false,
    validateSchema: false,
    validateFormats: false,
    ownProperties: true,
    // A definition is compiled once, however often it is referred to.
    inlineRefs: false,
    addUsedSchema: false,
    messages: false,
    logger: false,
    code: { optimize: false },
  });
  for (const definition of TAUGHT_KEYWORDS) {
    ajv.removeKeyword(definition.keyword);
    ajv.addKeyword(definition);
  }
  return ajv;
}
