import { canonicalJson } from "../../app/contract/digest.ts";
import { isJsonObject, type JsonValue, ownValue } from "../../app/contract/json.ts";
import type { BreakingChange } from "../../app/protocol/v1/breaking-change.ts";
import type { LocatedSchema } from "./located-schema.ts";

export type SchemaChange = Pick<BreakingChange, "pointer" | "kind">;

type Chain = readonly LocatedSchema[];
interface LocatedKeyword {
  readonly value: JsonValue;
  readonly pointer: string;
}

/**
 * What changed in one subschema's own keywords, and in those its references bring in.
 * @param isAdded `now` is an additional constraint on `old`: what it does not mention is unchanged
 */
export function keywordChanges(old: Chain, now: Chain, isAdded: boolean): SchemaChange[] {
  const saysNoType = first(now, "type") === undefined && !now.some(({ value }) => value === false);
  return [
    ...requiredAdded(old, now),
    ...(isAdded && saysNoType ? [] : typeChanged(old, now)),
    ...closed(old, now),
    ...enumRemoved(old, now),
  ];
}

function requiredAdded(old: Chain, now: Chain): SchemaChange[] {
  const before = new Set(all(old, "required").flatMap(({ value }) => listOf(value)));
  return all(now, "required").flatMap(({ value, pointer }) =>
    listOf(value).flatMap((name, index): SchemaChange[] =>
      before.has(name) ? [] : [{ pointer: `${pointer}/${index}`, kind: "required_added" }],
    ),
  );
}

function typeChanged(old: Chain, now: Chain): SchemaChange[] {
  if (typesOf(old) === typesOf(now)) return [];
  const at = first(now, "type") ?? first(old, "type");
  return [{ pointer: at?.pointer ?? now[0]?.pointer ?? "", kind: "type_changed" }];
}

/** A comparable form: `"string"` and `["string"]` are equal, and order does not matter. */
function typesOf(chain: Chain): string {
  // The schema `false` takes nothing: that is no type at all, where a missing `type` is any.
  if (chain.some(({ value }) => value === false)) return "none";
  const type = first(chain, "type")?.value;
  if (type === undefined) return "any";
  return canonicalJson([...new Set(Array.isArray(type) ? type : [type])].map(String).sort());
}

/** Open by default in JSON Schema: absent means `true`. */
function closed(old: Chain, now: Chain): SchemaChange[] {
  const after = all(now, "additionalProperties").find(({ value }) => value === false);
  const wasClosed = all(old, "additionalProperties").some(({ value }) => value === false);
  if (after === undefined || wasClosed) return [];
  return [{ pointer: after.pointer, kind: "additional_properties_closed" }];
}

/** `const` is an `enum` of one. An enum that disappears allows more, so nothing was removed. */
function enumRemoved(old: Chain, now: Chain): SchemaChange[] {
  const after = valuesOf(now);
  if (after === undefined) return [];
  const kept = new Set(after.map(({ value }) => canonicalJson(value)));
  return (valuesOf(old) ?? [])
    .filter(({ value }) => !kept.has(canonicalJson(value)))
    .map(({ pointer }) => ({ pointer, kind: "enum_value_removed" }));
}

function valuesOf(chain: Chain): LocatedKeyword[] | undefined {
  const constant = first(chain, "const");
  if (constant !== undefined) return [constant];
  const list = first(chain, "enum");
  if (list === undefined || !Array.isArray(list.value)) return undefined;
  return list.value.map((value: JsonValue, index) => ({
    value,
    pointer: `${list.pointer}/${index}`,
  }));
}

function all(chain: Chain, keyword: string): LocatedKeyword[] {
  return chain.flatMap((link) => {
    const value = isJsonObject(link.value) ? ownValue(link.value, keyword) : undefined;
    return value === undefined ? [] : [{ value, pointer: `${link.pointer}/${keyword}` }];
  });
}

const first = (chain: Chain, keyword: string): LocatedKeyword | undefined => all(chain, keyword)[0];

const listOf = (value: JsonValue): readonly JsonValue[] => (Array.isArray(value) ? value : []);
