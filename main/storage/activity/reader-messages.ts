import type { ChainHead } from "../../../app/audit/verify-chain.ts";
import type { StoreErrorCode } from "../../../runtime/sqlite/store-error.ts";
import type { ActivityFilter, SummaryFilter } from "./activity-filter.ts";

/** The thread's input. */
export interface ReaderData {
  /** The database file. */
  readonly path: string;
}

export type Question =
  | { readonly kind: "page"; readonly filter: ActivityFilter }
  | { readonly kind: "summary"; readonly filter: SummaryFilter }
  | { readonly kind: "lines"; readonly callId: string; readonly agentId: string }
  | { readonly kind: "verify"; readonly head: ChainHead };

export type ToReader =
  | { readonly kind: "ask"; readonly id: number; readonly question: Question }
  /** The first element becomes 1 once the connection is closed. */
  | { readonly kind: "close"; readonly closed: Int32Array<SharedArrayBuffer> };

export type FromReader =
  | { readonly kind: "answer"; readonly id: number; readonly value: unknown }
  | {
      readonly kind: "progress";
      readonly id: number;
      readonly verified: number;
      readonly total: number;
    }
  | {
      readonly kind: "failed";
      readonly id: number;
      readonly code: StoreErrorCode;
      readonly details: string;
    };
