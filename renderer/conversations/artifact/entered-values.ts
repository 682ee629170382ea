import type { BlockView } from "../../../app/bridge/conversation-views.ts";
import type { FieldValue, FieldValues } from "../../../app/contract/artifacts/answer.ts";
import { type ArtifactField, isField } from "../../../app/contract/artifacts/block.ts";

/** By field, what the person entered; null: they emptied it. */
export type Entered = ReadonlyMap<string, FieldValue | null>;

export const fieldsOf = (blocks: readonly BlockView[]): readonly ArtifactField[] =>
  blocks.flatMap((block) => (block.tag !== "file" && isField(block) ? [block] : []));

/** What stands in the fields: what the person entered, else what the agent proposes. */
export function standing(fields: readonly ArtifactField[], entered: Entered): FieldValues {
  const values = fields.flatMap((field): [string, FieldValue][] => {
    const own = entered.get(field.key);
    const value = own === undefined ? proposed(field) : own;
    return value === null || value === undefined ? [] : [[field.key, value]];
  });
  return Object.fromEntries(values);
}

/** A box that nobody ticked is answered, with no. */
const proposed = (field: ArtifactField): FieldValue | undefined =>
  field.tag === "checkbox" ? (field.value ?? false) : field.value;
