import type { JsonValue } from "../json.ts";
import { compileNodes } from "./compile-node.ts";
import type { InstancePath, Run, SchemaViolation } from "./evaluation.ts";
import { pointerTo, type SchemaIndex } from "./schema-index.ts";

/** Our own validator's answer for one value: `undefined` when it is valid. */
export type EvaluatorCheck = (value: JsonValue) => SchemaViolation | undefined;

/** Binds a schema into plain functions: no code is generated. */
export function compileEvaluator(index: SchemaIndex): EvaluatorCheck {
  const root = compileNodes(index);
  return (value) => {
    const run: Run = { depth: 0, scope: undefined, violation: undefined };
    if (root(value, run, undefined, undefined)) return undefined;
    const { path, keyword } = run.violation ?? { path: undefined, keyword: "" };
    return { pointer: pointerOf(path), keyword };
  };
}

function pointerOf(path: InstancePath | undefined): string {
  const keys: (string | number)[] = [];
  for (let at = path; at !== undefined; at = at.parent) keys.push(at.key);
  return pointerTo("", ...keys.reverse());
}
