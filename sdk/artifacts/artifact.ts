import { readArtifact } from "../../app/contract/artifacts/artifact.ts";
import { type ArtifactBlock, readBlocks } from "../../app/contract/artifacts/block.ts";
import type { JsonObject } from "../../app/contract/json.ts";
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
 * @throws SendError `artifact_unfit`: the client would not draw all of it
 */
export function artifact({ subtype = "app", ...parts }: ArtifactParts): BuiltArtifact {
  const built = { a2h: "0.3", subtype, ...parts };
  const state = readArtifact(built);
  const isDrawn = state && readBlocks(state.blocks).every(({ tag }) => tag !== "unknown");
  if (!isDrawn || RESERVED.includes(subtype)) throw new SendError("artifact_unfit");
  return { artifact: built };
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
