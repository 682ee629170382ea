import type { ChainedRecord } from "../../../app/audit/audit-record.ts";
import type { ChainHead } from "../../../app/audit/verify-chain.ts";
import {
  AUDIT_COLUMNS,
  type AuditRow,
  COLUMNS_OF,
  chainedRecordOf,
} from "../../../main/storage/index.ts";
import type { LeafRow } from "./leaf-rows.ts";
import type { Cell } from "./row-record.ts";

const KINDS: ReadonlySet<Cell | undefined> = new Set(Object.keys(COLUMNS_OF));
/** The last column, `subjects`, is no part of the record. */
const WIDTH = AUDIT_COLUMNS.length + 1;
/** The columns of the first version; later versions only added some. */
const STATE_COLUMNS = 6;
const CHAIN_HASH = /^[0-9a-f]{64}$/;

/** The record in a row of `audit_log`; null if the row is invalid or belongs to another table. */
export function entryOf({ rowid, cells }: LeafRow): ChainedRecord | null {
  const [seq, prevHash, hash, kind, timestamp] = cells;
  const isRow =
    cells.length === WIDTH &&
    seq === null &&
    typeof prevHash === "string" &&
    typeof hash === "string" &&
    KINDS.has(kind) &&
    typeof timestamp === "number";
  const values = cells.slice(0, AUDIT_COLUMNS.length);
  if (!isRow || values.some((cell) => cell instanceof Uint8Array)) return null;
  const row = Object.fromEntries(AUDIT_COLUMNS.map((column, at) => [column, values[at]]));
  // Not checked, like a row of a database: its hash shows whether it is unchanged.
  return chainedRecordOf({ ...row, seq: rowid } as unknown as AuditRow);
}

/** The log's end, as remembered in the row of `store_state`. */
export function rememberedHead({ rowid, cells }: LeafRow): ChainHead | null {
  const [id, clean, , , seq, hash] = cells;
  const isState =
    cells.length >= STATE_COLUMNS && rowid === 1 && id === null && (clean === 0 || clean === 1);
  if (!isState || typeof seq !== "number" || typeof hash !== "string") return null;
  return CHAIN_HASH.test(hash) ? { seq, hash } : null;
}
