import { type JsonObject, ownValue } from "../json.ts";
import { fail, type KeywordCheck, type NodeCheck } from "./evaluation.ts";
import type { Subschemas } from "./logic-keywords.ts";

/** `prefixItems` with `items`, and `contains` with its two counts (core §10.3.1). */
export function arrayKeywords(schema: JsonObject, subschemas: Subschemas): readonly KeywordCheck[] {
  return [items(subschemas), contains(schema, subschemas.one("contains"))].filter(
    (check) => check !== undefined,
  );
}

function items(subschemas: Subschemas): KeywordCheck | undefined {
  const prefix = subschemas.list("prefixItems") ?? [];
  const rest = subschemas.one("items");
  if (prefix.length === 0 && rest === undefined) return undefined;
  return (value, { run, path, seen }) => {
    if (!Array.isArray(value)) return true;
    for (const [index, item] of value.entries()) {
      const check = prefix[index] ?? rest;
      if (check === undefined) break;
      if (!check(item, run, { parent: path, key: index }, undefined)) return false;
      seen?.items.add(index);
    }
    if (rest !== undefined && seen !== undefined) seen.allItems = true;
    return true;
  };
}

const countOf = (schema: JsonObject, keyword: string, otherwise: number): number => {
  const count = ownValue(schema, keyword);
  return typeof count === "number" ? count : otherwise;
};

function contains(schema: JsonObject, check: NodeCheck | undefined): KeywordCheck | undefined {
  if (check === undefined) return undefined;
  const least = countOf(schema, "minContains", 1);
  const most = countOf(schema, "maxContains", Number.POSITIVE_INFINITY);
  return (value, visit) => {
    if (!Array.isArray(value)) return true;
    const { run, path, seen } = visit;
    let found = 0;
    for (const [index, item] of value.entries()) {
      if (!check(item, run, { parent: path, key: index }, undefined)) continue;
      found += 1;
      seen?.items.add(index);
    }
    return (found >= least && found <= most) || fail("contains", visit);
  };
}

/** `unevaluatedItems`: runs after everything else of its schema (core §11.2). */
export function unevaluatedItems(check: NodeCheck | undefined): KeywordCheck | undefined {
  if (check === undefined) return undefined;
  return (value, visit) => {
    const { run, path, seen } = visit;
    if (!Array.isArray(value) || seen === undefined || seen.allItems) return true;
    for (const [index, item] of value.entries()) {
      if (seen.items.has(index)) continue;
      if (!check(item, run, { parent: path, key: index }, undefined)) {
        return fail("unevaluatedItems", visit);
      }
    }
    seen.allItems = true;
    return true;
  };
}
