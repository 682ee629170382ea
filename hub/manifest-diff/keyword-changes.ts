import { canonicalJson } from "../../app/contract/digest.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownValue,
} from "../../app/contract/json.ts";
import {
  indexSchema,
  pointerTo,
  type SchemaIndex,
  targetOf,
} from "../../app/contract/json-schema/schema-index.ts";
import type { BreakingChange } from "../../app/protocol/v1/breaking-change.ts";

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

/** A JSON Schema document and where it sits in its manifest. */
interface SchemaRoot {
  readonly schema: JsonObject;
  /** RFC 6901 */
  readonly pointer: string;
  readonly index: SchemaIndex;
}

/** A subschema, its pointer, and the document its references point into. */
export interface LocatedSchema {
  readonly value: JsonValue;
  readonly pointer: string;
  readonly root: SchemaRoot;
}

export function locatedRoot(schema: JsonObject, pointer: string): LocatedSchema {
  return { value: schema, pointer, root: { schema, pointer, index: indexSchema(schema) } };
}

/** The subschema under one keyword, or under one member of it; `undefined` when there is none. */
export function child(
  parent: LocatedSchema,
  ...path: readonly string[]
): LocatedSchema | undefined {
  let value = parent.value;
  let pointer = parent.pointer;
  for (const key of path) {
    const next = memberOf(value, key);
    if (next === undefined) return undefined;
    value = next;
    pointer = pointerTo(pointer, key);
  }
  return { value, pointer, root: parent.root };
}

function memberOf(value: JsonValue, key: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^\d+$/.test(key) ? value[Number(key)] : undefined;
  return isJsonObject(value) ? ownValue(value, key) : undefined;
}

const LINKS_AT_MOST = 32;

/**
 * The chain a subschema stands for: itself and what its `$ref` leads to in its own document (a change
 * must not hide behind a reference). Ends at a loop or a reference it cannot follow.
 */
export function withReferences(start: LocatedSchema): readonly LocatedSchema[] {
  const chain: LocatedSchema[] = [];
  let next: LocatedSchema | undefined = start;
  while (next !== undefined && chain.length <= LINKS_AT_MOST) {
    const { pointer } = next;
    if (chain.some((link) => link.pointer === pointer)) break;
    chain.push(next);
    next = referredTo(next);
  }
  return chain;
}

function referredTo({ value, pointer, root }: LocatedSchema): LocatedSchema | undefined {
  const isSubschema = root.index.nodes.has(pointer.slice(root.pointer.length));
  const reference = isSubschema && isJsonObject(value) ? ownValue(value, "$ref") : undefined;
  const target = typeof reference === "string" ? targetOf(root.index, reference) : undefined;
  const found = target === undefined ? undefined : root.index.nodes.get(target);
  return found === undefined ? undefined : { value: found, pointer: root.pointer + target, root };
}
