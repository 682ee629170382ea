import type { Sensitivity } from "../contract/scopes.ts";

/** What an administrator's policy says about an agent, or about one that asks to be added. */
export interface ManagedAgent {
  /** Its key is none of those that may ask: no permission of its counts. */
  readonly not_allowed?: true;
}

/** What is wrong with a policy file. */
const POLICY_FAULTS = [
  "unreadable",
  "not_protected",
  "too_large",
  "not_json",
  "unknown_member",
  "missing_member",
  "wrong_value",
  "hub_differs",
] as const;
type PolicyFaultCode = (typeof POLICY_FAULTS)[number];

export interface PolicyFault {
  readonly file: string;
  readonly code: PolicyFaultCode;
  /** Where in the file; null: it is about the whole. */
  readonly place: {
    readonly line: number;
    readonly column: number;
    /** A JSON Pointer. */
    readonly pointer: string;
  } | null;
}

/** What an administrator has decided for this computer. */
export type PolicyView =
  | {
      readonly state: "applied";
      readonly files: readonly string[];
      /** How many keys are allowed; null: any. */
      readonly allowed_agents: number | null;
      readonly denied_scopes: readonly string[];
      readonly sensitivities: readonly {
        readonly scope: string;
        readonly least: Sensitivity;
      }[];
      /** Of both lists, those that are none of the catalogue's: an agent's own, or a slip. */
      readonly unknown_scopes: readonly string[];
      readonly hub_managed: boolean;
      /** Null: as without a policy. */
      readonly retention_days: number | null;
      readonly updates_off: boolean;
    }
  /** Nothing is done until the file is mended. */
  | { readonly state: "broken"; readonly fault: PolicyFault };
