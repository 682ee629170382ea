import { useState } from "react";
import type { FieldValue } from "../../../app/contract/artifacts/answer.ts";

type Entered = ReadonlyMap<string, FieldValue | null>;

/** By conversation and item: the list drops rows as the person scrolls, and draws them again. */
const kept = new Map<string, Entered>();

/** What the person has entered in an artifact's fields; null: they emptied the field. */
export function useEntered(conversationId: string, itemId: string) {
  const key = `${conversationId} ${itemId}`;
  const [entered, setEntered] = useState<Entered>(() => kept.get(key) ?? new Map());
  const enter = (field: string, value: FieldValue | null): void => {
    const next = new Map(entered).set(field, value);
    kept.set(key, next);
    setEntered(next);
  };
  const forget = (): void => {
    kept.delete(key);
  };
  return { entered, enter, forget };
}
