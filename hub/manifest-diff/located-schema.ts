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
