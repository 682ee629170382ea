import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";
import { fail, type KeywordCheck, type NodeCheck, type Visit } from "./evaluation.ts";
import type { Subschemas } from "./logic-keywords.ts";

/** `propertyNames`, and `properties` with `patternProperties` and `additionalProperties`. */
export function objectKeywords(subschemas: Subschemas): readonly KeywordCheck[] {
  return [propertyNames(subschemas.one("propertyNames")), members(subschemas)].filter(
    (check) => check !== undefined,
  );
}

function propertyNames(check: NodeCheck | undefined): KeywordCheck | undefined {
  if (check === undefined) return undefined;
  return (value, visit) =>
    !isJsonObject(value) ||
    Object.keys(value).every((name) => check(name, visit.run, visit.path, undefined)) ||
    fail("propertyNames", visit);
}

/** The checks that apply to one member of an object, by the member's name. */
type ChecksFor = (name: string) => readonly NodeCheck[];

function checksByName(subschemas: Subschemas): ChecksFor | undefined {
  const named = subschemas.map("properties");
  const patterned = subschemas.map("patternProperties");
  const rest = subschemas.one("additionalProperties");
  if (named === undefined && patterned === undefined && rest === undefined) return undefined;
  const byName = new Map(named);
  const patterns = (patterned ?? []).map(
    ([source, check]) => [new RegExp(source, "u"), check] as const,
  );
  return (name) => {
    const own = byName.get(name);
    const checks = own === undefined ? [] : [own];
    for (const [pattern, check] of patterns) if (pattern.test(name)) checks.push(check);
    return checks.length === 0 && rest !== undefined ? [rest] : checks;
  };
}

function members(subschemas: Subschemas): KeywordCheck | undefined {
  const checksFor = checksByName(subschemas);
  if (checksFor === undefined) return undefined;
  return (value, visit) =>
    !isJsonObject(value) ||
    Object.keys(value).every((name) => memberPasses(value, name, checksFor(name), visit));
}

function memberPasses(
  object: JsonObject,
  name: string,
  checks: readonly NodeCheck[],
  { run, path, seen }: Visit,
): boolean {
  if (checks.length === 0) return true;
  seen?.properties.add(name);
  return passesAll(object[name] ?? null, checks, { run, path: { parent: path, key: name }, seen });
}

const passesAll = (value: JsonValue, checks: readonly NodeCheck[], { run, path }: Visit): boolean =>
  checks.every((check) => check(value, run, path, undefined));

/** `unevaluatedProperties`: runs after everything else of its schema (core §11.3). */
export function unevaluatedProperties(check: NodeCheck | undefined): KeywordCheck | undefined {
  if (check === undefined) return undefined;
  return (value, visit) => {
    const { run, path, seen } = visit;
    if (!isJsonObject(value) || seen === undefined || seen.allProperties) return true;
    for (const name of Object.keys(value)) {
      if (seen.properties.has(name)) continue;
      const member = value[name] ?? null;
      if (!check(member, run, { parent: path, key: name }, undefined)) {
        return fail("unevaluatedProperties", visit);
      }
    }
    seen.allProperties = true;
    return true;
  };
}
