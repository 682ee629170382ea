import type { Resource, SchemaIndex } from "./schema-index.ts";
import { resolveReference } from "./uri-reference.ts";

export interface Target {
  /** Pointer of the subschema the reference names, from the root of the whole schema. */
  readonly pointer: string;
  /** The name through which a `$dynamicRef` is looked up again in the dynamic scope, if it is one. */
  readonly dynamicName: string | undefined;
}

/** Where a reference leads inside this schema; `undefined` when it leads anywhere else. */
export function resolveTarget(
  index: SchemaIndex,
  from: Resource,
  reference: string,
): Target | undefined {
  const { uri, fragment } = resolveReference(from.uri, reference);
  const resource = index.resources.get(uri);
  const name = decodeFragment(fragment);
  if (resource === undefined || name === undefined) return undefined;
  const isPointer = name === "" || name.startsWith("/");
  const pointer = isPointer ? `${resource.pointer}${name}` : resource.anchors.get(name);
  if (pointer === undefined || !index.nodes.has(pointer)) return undefined;
  const isDynamic = !isPointer && resource.dynamicAnchors.has(name);
  return { pointer, dynamicName: isDynamic ? name : undefined };
}

function decodeFragment(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}
