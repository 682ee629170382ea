import type { SchemaViolation } from "../../app/contract/json-schema/compile-schema.ts";

/** Jobs of one owner, done in this order; each is answered as soon as it is done. */
export type ToWorker = readonly Job[];

/** Everything travels as text: the worker parses, so nothing hostile is cloned structurally. */
export type Job =
  | {
      readonly kind: "validate";
      /** Owner and schema key as one text: what the worker's cache is keyed by. */
      readonly cacheKey: string;
      /** JSON text; absent when this worker should know the key. */
      readonly schemaText: string | undefined;
      readonly argumentsText: string;
    }
  | { readonly kind: "check"; readonly schemaText: string };

export type FromWorker =
  | { readonly kind: "ready" }
  /** The slice of time is over: the jobs not answered yet have not begun. */
  | { readonly kind: "yielded" }
  | { readonly kind: "valid" }
  | { readonly kind: "invalid"; readonly violations: readonly SchemaViolation[] }
  | { readonly kind: "unusable" }
  /** The key is not, or no longer, in the cache: send the text. */
  | { readonly kind: "missing" }
  | { readonly kind: "checked"; readonly problems: readonly CheckProblem[] };

/** What a worker sends: an answer, and the processor time it has had until then, in milliseconds. */
export type SentByWorker = readonly [message: FromWorker, cpuMs: number];

export interface CheckProblem {
  /** RFC 6901 JSON Pointer into the schema. */
  readonly pointer: string;
  readonly code: string;
}
