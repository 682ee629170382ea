import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownValue,
} from "../../app/contract/json.ts";

/** A JSON Schema document and where it sits in its manifest. */
export interface SchemaRoot {
  readonly schema: JsonObject;
  /** RFC 6901 */
  readonly pointer: string;
}

/** A subschema, its pointer, and the document its references point into. */
export interface LocatedSchema {
  readonly value: JsonValue;
  readonly pointer: string;
  readonly root: SchemaRoot;
}

export const pointerToken = (key: string): string =>
  key.replaceAll("~", "~0").replaceAll("/", "~1");

export const locatedRoot = (root: SchemaRoot): LocatedSchema => ({
  value: root.schema,
  pointer: root.pointer,
  root,
});

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

const REF_HOPS_AT_MOST = 32;

/**
 * The chain a subschema stands for: itself and, through `$ref`, what it refers to in its own
 * document (a change must not hide behind a reference). Ends at a loop or a reference it cannot
 * follow.
 */
export function withReferences(start: LocatedSchema): readonly LocatedSchema[] {
  const chain = [start];
  let at: LocatedSchema | undefined = start;
  while (at !== undefined && chain.length <= REF_HOPS_AT_MOST) {
    at = referenceOf(at);
    if (at === undefined || chain.some((link) => link.pointer === at?.pointer)) break;
    chain.push(at);
  }
  return chain;
}

function referenceOf(schema: LocatedSchema): LocatedSchema | undefined {
  const ref = isJsonObject(schema.value) ? ownValue(schema.value, "$ref") : undefined;
  if (typeof ref !== "string" || !(ref === "#" || ref.startsWith("#/"))) return undefined;
  const path = ref.split("/").slice(1).map(decodedToken);
  return child(locatedRoot(schema.root), ...path);
}

function decodedToken(token: string): string {
  let text = token;
  try {
    text = decodeURIComponent(token);
  } catch {
    // Not percent-encoded after all: the token is taken as it stands.
  }
  return text.replaceAll("~1", "/").replaceAll("~0", "~");
}
