import type { BreakingKind } from "../contract/manifest.ts";
import type { ScopeView } from "./views.ts";

/** A manifest that the person pastes in the system's conversation. */
export interface ManifestRemarkView {
  /** RFC 6901, into the pasted manifest. */
  readonly pointer: string;
  /** A code of `MANIFEST_PROBLEMS` or `MANIFEST_WARNINGS`. */
  readonly code: string;
  /** An identifier from the offending value, never free text. */
  readonly detail: string | null;
  /** From 1, in UTF-16 units; null where no place is known. */
  readonly line: number | null;
  readonly column: number | null;
}

type ManifestChangeKind = BreakingKind | "added" | "removed" | "changed";

/** What a change belongs to; `name`: the tool's name or the scope's id, null where it has none. */
export interface ChangeSubject {
  readonly kind: "tool" | "scope" | "manifest";
  readonly name: string | null;
}

export interface ManifestChangeView {
  /** Into the pasted manifest; for something removed, into the present one. */
  readonly pointer: string;
  readonly kind: ManifestChangeKind;
  /** The hub says so (contract §7): the person must consent to the scope again. */
  readonly breaking: boolean;
  /** The scope whose consent a breaking change concerns. */
  readonly scope: string | null;
  readonly subject: ChangeSubject;
  /** The value in the present manifest. Agent-written: JSON, or the bare text if it is a string. */
  readonly before: string | null;
  /** The value in the pasted one. */
  readonly after: string | null;
}

/** Changes listed at most; `changes_in_all` counts them all. */
export const CHANGES_SHOWN = 500;

export interface ManifestCheckView {
  readonly problems: readonly ManifestRemarkView[];
  readonly warnings: readonly ManifestRemarkView[];
  /** Breaking ones first. Empty while there are problems. */
  readonly changes: readonly ManifestChangeView[];
  readonly changes_in_all: number;
  /** UTF-8, as it would be sent. */
  readonly bytes: number;
  readonly agent_version: { readonly present: string; readonly pasted: string | null };
  /** Identifies this text and the present manifest, for `manifest.apply`; null with problems. */
  readonly digest: string | null;
}

/** A manifest of an agent that is not connected yet. */
export interface NewManifestView {
  readonly problems: readonly ManifestRemarkView[];
  readonly warnings: readonly ManifestRemarkView[];
  readonly bytes: number;
  /** The scopes it asks for; null while there are problems. */
  readonly asks: {
    readonly agent_version: string;
    /** SHA-256 of its RFC 8785 form, as the hub has it. */
    readonly digest: string;
    readonly scopes: readonly ScopeView[];
  } | null;
}

export interface ManifestAppliedView {
  readonly manifest_version: number;
  readonly changes: number;
  readonly breaking: number;
}
