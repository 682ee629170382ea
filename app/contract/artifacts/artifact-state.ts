import type { JsonObject } from "../json.ts";

/** An artifact with every change that was applied to it. */
export interface ArtifactState {
  /** The agent's own id. */
  readonly artifact_id: string;
  /** Of the last change; 0: it is as it was sent. */
  readonly revision: number;
  readonly title: string | null;
  /** As the agent sent them: a change is merged before it is read. */
  readonly blocks: readonly JsonObject[];
  /** Changes that came before one that they follow, in the order of their revisions. */
  readonly waiting: readonly ArtifactChange[];
}

/** New fields of some blocks, by key; or the whole artifact as it is at this revision. */
export type ArtifactChange = { readonly revision: number } & (
  | { readonly updates: Readonly<Record<string, JsonObject>> }
  | { readonly blocks: readonly JsonObject[]; readonly title: string | null }
);
