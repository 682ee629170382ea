import { isJsonObject } from "../json.ts";
import { fail, type KeywordCheck, type NodeCheck } from "./evaluation.ts";

/** Gives the check of the subschema under a keyword; `undefined` when the keyword is absent. */
export interface Subschemas {
  one(keyword: string): NodeCheck | undefined;
  list(keyword: string): readonly NodeCheck[] | undefined;
  map(keyword: string): readonly (readonly [name: string, check: NodeCheck])[] | undefined;
}

/** In-place applicators (core §10.2): they look at the same value as the schema they stand in. */
export function logicKeywords(subschemas: Subschemas): readonly KeywordCheck[] {
  return [
    allOf(subschemas.list("allOf")),
    anyOf(subschemas.list("anyOf")),
    oneOf(subschemas.list("oneOf")),
    not(subschemas.one("not")),
    conditional(subschemas),
    dependentSchemas(subschemas.map("dependentSchemas")),
  ].filter((check) => check !== undefined);
}

function allOf(checks: readonly NodeCheck[] | undefined): KeywordCheck | undefined {
  if (checks === undefined) return undefined;
  return (value, { run, path, seen }) => checks.every((check) => check(value, run, path, seen));
}

function anyOf(checks: readonly NodeCheck[] | undefined): KeywordCheck | undefined {
  if (checks === undefined) return undefined;
  return (value, visit) => {
    const { run, path, seen } = visit;
    let passed = false;
    for (const check of checks) {
      passed = check(value, run, path, seen) || passed;
      // What later branches evaluate only matters to `unevaluated*`.
      if (passed && seen === undefined) return true;
    }
    return passed || fail("anyOf", visit);
  };
}

function oneOf(checks: readonly NodeCheck[] | undefined): KeywordCheck | undefined {
  if (checks === undefined) return undefined;
  return (value, visit) => {
    const { run, path, seen } = visit;
    let passed = 0;
    for (const check of checks) {
      if (check(value, run, path, seen)) passed += 1;
      if (passed > 1) break;
    }
    return passed === 1 || fail("oneOf", visit);
  };
}

function not(check: NodeCheck | undefined): KeywordCheck | undefined {
  if (check === undefined) return undefined;
  return (value, visit) => !check(value, visit.run, visit.path, undefined) || fail("not", visit);
}

function conditional(subschemas: Subschemas): KeywordCheck | undefined {
  const condition = subschemas.one("if");
  if (condition === undefined) return undefined;
  const consequence = subschemas.one("then");
  const alternative = subschemas.one("else");
  return (value, { run, path, seen }) => {
    const branch = condition(value, run, path, seen) ? consequence : alternative;
    return branch === undefined || branch(value, run, path, seen);
  };
}

function dependentSchemas(
  entries: readonly (readonly [string, NodeCheck])[] | undefined,
): KeywordCheck | undefined {
  if (entries === undefined) return undefined;
  return (value, { run, path, seen }) =>
    !isJsonObject(value) ||
    entries.every(([name, check]) => !Object.hasOwn(value, name) || check(value, run, path, seen));
}
