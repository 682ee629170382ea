import { fromBase64, toBase64 } from "../../app/protocol/v1/base64.ts";
import {
  KEY_LIMITS,
  type LedgerAnswer,
  type LedgerAppend,
} from "../../app/protocol/v1/key-rest.ts";
import type { HubParts } from "../hub-parts.ts";
import { Refusal } from "../refusal.ts";
import type { Subject } from "../sessions/session.ts";
import type { Relation } from "../storage/relation-store.ts";

/** The relation, for its two ends alone. @throws Refusal NOT_FOUND */
export function relationFor(parts: HubParts, asker: Subject, relationId: string): Relation {
  const relation = parts.relations.find(relationId);
  const isEnd = relation?.agent_id === asker.id || relation?.user_id === asker.id;
  if (relation === undefined || !isEnd) throw new Refusal("NOT_FOUND");
  return relation;
}

/** What both ends check for themselves: the hub only keeps it in its order. */
export function ledgerOf(parts: HubParts, relation: Relation, from: number): LedgerAnswer {
  const { relation_id } = relation;
  return {
    entries: parts.ledgers.entries(relation_id, from).map(toBase64),
    length: parts.ledgers.size(relation_id).length,
  };
}

/**
 * @throws Refusal BAD_REQUEST (fault `entry`), LEDGER_CONFLICT with `params.length` when another
 * entry has this place, or there is none left
 */
export function appendToLedger(
  parts: HubParts,
  { relation_id }: Relation,
  { index, entry }: LedgerAppend,
): { readonly length: number } {
  const bytes = fromBase64(entry);
  if (bytes === undefined) throw new Refusal("BAD_REQUEST", { fault: "entry" });
  return parts.atomically(() => {
    const { length, bytes: before } = parts.ledgers.size(relation_id);
    const isFull =
      length >= KEY_LIMITS.ledgerEntries || before + bytes.length > KEY_LIMITS.ledgerBytes;
    if (index !== length || isFull) {
      throw new Refusal("LEDGER_CONFLICT", { length });
    }
    parts.ledgers.append(relation_id, index, bytes);
    return { length: length + 1 };
  });
}
