import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownValue,
} from "../../app/contract/json.ts";
import { resolveTarget } from "../../app/contract/json-schema/resolve-target.ts";
import { indexSchema, type SchemaIndex } from "../../app/contract/json-schema/schema-index.ts";

/** A JSON Schema document and where it sits in its manifest. */
export interface SchemaRoot {
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

export const pointerToken = (key: string): string =>
  key.replaceAll("~", "~0").replaceAll("/", "~1");

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
    pointer += `/${pointerToken(key)}`;
  }
  return { value, pointer, root: parent.root };
}

function memberOf(value: JsonValue, key: string): JsonValue | undefined {
  if (Array.isArray(value)) return /^\d+$/.test(key) ? value[Number(key)] : undefined;
  return isJsonObject(value) ? ownValue(value, key) : undefined;
}

const LINKS_AT_MOST = 32;

/**
 * The chain a subschema stands for: itself and, through `$ref` and `$dynamicRef`, what it refers to
 * in its own document, by pointer, anchor or `$id` (a change must not hide behind a reference). Ends
 * at a loop or a reference it cannot follow.
 */
export function withReferences(start: LocatedSchema): readonly LocatedSchema[] {
  const chain = [start];
  // Grows while it is walked.
  for (const link of chain) {
    for (const next of referencesOf(link)) {
      if (chain.length > LINKS_AT_MOST) return chain;
      if (!chain.some(({ pointer }) => pointer === next.pointer)) chain.push(next);
    }
  }
  return chain;
}

function referencesOf({ value, pointer, root }: LocatedSchema): LocatedSchema[] {
  const node = root.index.nodes.get(pointer.slice(root.pointer.length));
  if (node === undefined || !isJsonObject(value)) return [];
  return ["$ref", "$dynamicRef"].flatMap((keyword) => {
    const reference = ownValue(value, keyword);
    if (typeof reference !== "string") return [];
    const target = resolveTarget(root.index, node.resource, reference);
    const found = target === undefined ? undefined : root.index.nodes.get(target.pointer);
    if (found === undefined) return [];
    return [{ value: found.schema, pointer: root.pointer + found.pointer, root }];
  });
}
