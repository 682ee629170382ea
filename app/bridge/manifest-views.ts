import type { BreakingKind } from "../contract/manifest.ts";
import type { ScopeView } from "./agent-views.ts";

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

const DIFFERENCE_KINDS = ["added", "removed", "changed"] as const;

type DifferenceKind = (typeof DIFFERENCE_KINDS)[number];

/** One member of a tool's or scope's declaration, before and after; null where it is absent. */
export interface MemberDifference {
  readonly member: string;
  /** Agent-written: JSON, or the bare text where it is one. */
  readonly before: string | null;
  readonly after: string | null;
}

export interface ManifestDifference {
  readonly subject: "scope" | "tool" | "manifest";
  /** A scope's id, a tool's name; empty for the manifest itself. */
  readonly id: string;
  readonly kind: DifferenceKind;
  /** The hub says so (contract §7): the person must consent again. */
  readonly breaking: boolean;
  readonly members: readonly MemberDifference[];
}

/** An agent's manifest as it was reviewed against what it is now. */
export interface AgentDifferences {
  /** SHA-256 of the manifest, lowercase hex. */
  readonly reviewed_digest: string;
  readonly digest: string;
  readonly differences: readonly ManifestDifference[];
  /** `differences` holds the first of them. */
  readonly in_all: number;
}

/** Differences shown at most. */
export const DIFFERENCES_SHOWN = 300;

/** Characters of one value shown at most. */
export const DIFFERENCE_TEXT_MAX = 4_000;
