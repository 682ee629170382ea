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
  /** It was killed, waited too long, or is in quarantine. */
  | { readonly kind: "undecided" };

export interface BoundedValidator {
  /** contract §2.4. Settles within 300 ms of the call and never rejects. */
  validate(job: ValidationJob): Promise<SchemaDecision>;
  /** What keeps a manifest's schema from being used; empty when it compiles. Never rejects. */
  check(owner: string, schema: JsonObject): Promise<readonly CheckProblem[]>;
  /** When the threads are up: the first calls need not wait for them. */
  ready(): Promise<void>;
  /** Ends the threads; whatever still waits is `undecided`. */
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
