import { artifactId, readArtifact, titleIn } from "../../app/contract/artifacts/artifact.ts";
import { type ArtifactBlock, readBlocks } from "../../app/contract/artifacts/block.ts";
import { type JsonObject, ownValue } from "../../app/contract/json.ts";
import type { ArtifactContent } from "../outbound.ts";
import { SendError } from "../send-error.ts";

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
 * @throws SendError `artifact_unfit`: the client would not draw all of it; `params.path` is a JSON
 *   Pointer to the first part that does not fit
 */
export function artifact({ subtype = "app", ...parts }: ArtifactParts): BuiltArtifact {
  const built = { a2h: "0.3", subtype, ...parts };
  const path = unfitPart(built);
  if (path !== null) throw new SendError("artifact_unfit", { path });
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
export function unknownBlock(blocks: readonly JsonObject[]): string | null {
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
