import type { JsonObject } from "../../app/contract/json.ts";
import type { SchemaViolation } from "../../app/contract/json-schema/compile-schema.ts";
import type { CheckProblem } from "./schema-messages.ts";

export interface ValidationJob {
  /** Agent id. Owners take turns, and are told apart in caches and quarantine. */
  readonly owner: string;
  /** Hash of the schema. */
  readonly schemaKey: string;
  readonly schema: JsonObject;
  /** JSON text of the arguments. */
  readonly canonicalArguments: string;
}

export type SchemaDecision =
  | { readonly kind: "valid" }
  | { readonly kind: "invalid"; readonly violations: readonly SchemaViolation[] }
  /** The schema is outside the profile, or never ends on this value. */
  | { readonly kind: "unusable" }
  /** It used up its time or memory and was killed, or is in quarantine for that. */
  | { readonly kind: "undecided" }
  /** There was no time for it: the machine is busy, or others are being killed. Says nothing of it. */
  | { readonly kind: "busy" };

export interface BoundedValidator {
  /** contract §2.4. While schemas are being killed it settles within 300 ms. Never rejects. */
  validate(job: ValidationJob): Promise<SchemaDecision>;
  /** What keeps a manifest's schema from being used; empty when it compiles. Never rejects. */
  check(owner: string, schema: JsonObject): Promise<readonly CheckProblem[] | "busy">;
  /** When the threads are up: the first calls need not wait for them. */
  ready(): Promise<void>;
  /** Ends the threads; whatever still waits is `busy`. */
  close(): Promise<void>;
}

export interface BoundedValidatorOptions {
  readonly workerUrl: URL;
  /** Milliseconds a job may run once a ready thread has it. */
  readonly budgetMs?: number;
  /** Jobs of different owners that run at the same time; one more thread is kept warm. */
  readonly workers?: number;
  /** Monotonic milliseconds. */
  readonly now?: () => number;
}
