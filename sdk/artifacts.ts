import {
  type ArtifactChange,
  type ArtifactState,
  artifactId,
  readArtifact,
  titleIn,
} from "../app/contract/artifacts/artifact.ts";
import { type ArtifactBlock, readBlocks } from "../app/contract/artifacts/block.ts";
import { isRevision, readChange, revise } from "../app/contract/artifacts/revise.ts";
import { type JsonObject, ownValue } from "../app/contract/json.ts";
import type { ArtifactContent } from "./content.ts";
import { AgentError } from "./errors.ts";

export interface ArtifactParts {
  /** At most 128 characters; your own, so that a later process can change the artifact. */
  readonly artifact_id: string;
  /** What it is for: `form`, `progress`, `approval`. Only for programs. Default: `app`. */
  readonly subtype?: string;
  readonly title?: string;
  /** 1 to 16. What the person enters is sent when they choose an `action`. */
  readonly blocks: readonly ArtifactBlock[];
}

/** An artifact with blocks. */
export interface BuiltArtifact extends ArtifactContent {
  readonly artifact: JsonObject & { readonly artifact_id: string };
}

/**
 * An artifact for `sendArtifact`, checked as the person's client checks it.
 * @throws AgentError `artifact_unfit`: the client would not draw all of it; `params.path` is a JSON
 *   Pointer to the first part that does not fit
 */
export function artifact({ subtype = "app", ...parts }: ArtifactParts): BuiltArtifact {
  const built = { a2h: "0.3", subtype, ...parts };
  const path = unfitPart(built);
  if (path !== null) throw new AgentError("artifact_unfit", { params: { path } });
  return { artifact: built };
}

/** Null: the client draws all of it. */
function unfitPart(built: JsonObject & { readonly subtype: string }): string | null {
  if (RESERVED.includes(built.subtype)) return "/subtype";
  if (artifactId(ownValue(built, "artifact_id")) === undefined) return "/artifact_id";
  if (titleIn(built) === undefined) return "/title";
  const blocks = readArtifact(built)?.blocks;
  // There are none, or too many, or they are too large together.
  if (blocks === undefined) return "/blocks";
  return unknownBlock(blocks);
}

/** Null: the client draws all of them. */
function unknownBlock(blocks: readonly JsonObject[]): string | null {
  const unknown = readBlocks(blocks).findIndex(({ tag }) => tag === "unknown");
  return unknown === -1 ? null : `/blocks/${unknown}`;
}

/** Subtypes with a meaning of their own. */
const RESERVED = [
  "tool_call",
  "tool_response",
  "tool_call_cancel",
  "artifact_update",
  "artifact_response",
  "artifact_fetch",
  "encryption_session",
];

/** Artifacts whose blocks are remembered, to answer for them when a client lacks changes. */
const REMEMBERED = 200;

/** What this process has sent of each artifact. */
export class SentArtifacts {
  readonly #newest = new Map<string, number>();
  readonly #states = new Map<string, ArtifactState>();

  sent(conversationId: string, state: ArtifactState): void {
    const key = keyOf(conversationId, state.artifact_id);
    this.#newest.set(key, 0);
    this.#remember(key, state);
  }

  /**
   * @param change its `revision` may be absent: then it is the next one
   * @throws AgentError `revision_not_higher`; `artifact_unfit` with its `path`, if one part alone is unfit
   */
  advance(conversationId: string, artifactId: string, change: JsonObject): ArtifactChange {
    const key = keyOf(conversationId, artifactId);
    const before = this.#newest.get(key) ?? 0;
    const { revision = before + 1 } = change;
    if (!Number.isSafeInteger(revision) || Number(revision) <= before) {
      throw new AgentError("revision_not_higher");
    }
    const read = isRevision(revision) ? readChange({ ...change, revision }) : undefined;
    if (read === undefined) throw new AgentError("artifact_unfit");
    const state = this.#states.get(key);
    if (state !== undefined) this.#remember(key, changed(state, read));
    else if ("blocks" in read) {
      const { blocks, title } = read;
      const first = { artifact_id: artifactId, revision: 0, blocks, title, waiting: [] };
      this.#remember(key, changed(first, read));
    }
    this.#newest.set(key, read.revision);
    return read;
  }

  /** The artifact as it is now; `undefined`: this process did not send it, or long ago. */
  whole(conversationId: string, artifactId: string): ArtifactChange | undefined {
    const state = this.#states.get(keyOf(conversationId, artifactId));
    if (state === undefined || state.revision === 0) return undefined;
    const { revision, blocks, title } = state;
    return { revision, blocks, title };
  }

  #remember(key: string, state: ArtifactState): void {
    this.#states.delete(key);
    this.#states.set(key, state);
    const [oldest] = this.#states.keys();
    if (this.#states.size > REMEMBERED && oldest !== undefined) this.#states.delete(oldest);
  }
}

/** A program may leave out revisions; what it sends is in order all the same. */
function changed(state: ArtifactState, change: ArtifactChange): ArtifactState {
  const before = { ...state, revision: change.revision - 1 };
  const revised = revise(before, change);
  const isApplied = revised.outcome === "applied";
  const path = unfitChange(before, change, isApplied);
  if (path === null && isApplied) return revised.state;
  throw new AgentError("artifact_unfit", path === null ? {} : { params: { path } });
}

/** Null: there is none, or each part on its own fits. Where all `fit` together, one alone need not. */
function unfitChange(before: ArtifactState, change: ArtifactChange, fit: boolean): string | null {
  if ("blocks" in change) return unknownBlock(change.blocks);
  const keys = new Set(before.blocks.map((block) => ownValue(block, "key")));
  const { revision, updates } = change;
  const isUnfit = ([key, fields]: [string, JsonObject]): boolean =>
    !keys.has(key) ||
    (!fit && revise(before, { revision, updates: { [key]: fields } }).outcome === "unfit");
  const [key] = Object.entries(updates).find(isUnfit) ?? [];
  return key === undefined ? null : `/updates/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
}

const keyOf = (conversationId: string, artifactId: string): string =>
  JSON.stringify([conversationId, artifactId]);
