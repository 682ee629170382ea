import { canonicalJson } from "../digest.ts";
import type { JsonValue } from "../json.ts";

/** Equal JSON values have equal keys: `1` and `1.0`, objects in any member order. */
const keyOf = (value: JsonValue): JsonValue =>
  typeof value === "object" && value !== null ? canonicalJson(value) : value;

const isCompound = (value: JsonValue): boolean => typeof value === "object" && value !== null;

/** A membership test that costs the value's size, however many members there are. */
export function isOneOf(members: readonly JsonValue[]): (value: JsonValue) => boolean {
  const plain = new Set(members.filter((member) => !isCompound(member)));
  const compound = new Set(members.filter(isCompound).map(keyOf));
  return (value) => (isCompound(value) ? compound.has(keyOf(value)) : plain.has(value));
}

/** Linear in the size of the list: pairwise comparison would be a way to stall (docs/threat-model.md). */
export function areUnique(list: readonly JsonValue[]): boolean {
  const plain = new Set<JsonValue>();
  const compound = new Set<JsonValue>();
  for (const item of list) {
    const kind = isCompound(item) ? compound : plain;
    const key = keyOf(item);
    if (kind.has(key)) return false;
    kind.add(key);
  }
  return true;
}
