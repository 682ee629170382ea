import type { BreakingKind } from "../../contract/manifest.ts";

/**
 * One change to a manifest that breaks the consent given before, as the hub judges it (contract §8).
 * Declared here, and not read off its schema, because it is a type of the SDK too.
 */
export interface BreakingChange {
  /** RFC 6901 pointer into the new manifest (into the old one for something removed). */
  readonly pointer: string;
  readonly kind: BreakingKind;
  readonly breaking: true;
  /** The scope that needs the person's consent again. */
  readonly scope: string;
  /** The tool that changed; null: the scope itself did. */
  readonly tool: string | null;
}

/** A notice carries at most this many of them; the scopes it names are always all. */
export const BREAKING_CHANGES_TOLD = 500;
