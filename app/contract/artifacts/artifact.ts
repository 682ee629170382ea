import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../json.ts";
import { LIMITS } from "../limits.ts";

/** `undefined`: this has no blocks to draw, or more than an artifact may have. */
export function readArtifact(artifact: JsonObject): ArtifactState | undefined {
  const artifact_id = artifactId(ownValue(artifact, "artifact_id"));
  const blocks = blockList(ownValue(artifact, "blocks"));
  const title = titleIn(artifact);
  if (artifact_id === undefined || blocks === undefined || title === undefined) return undefined;
  const state = { artifact_id, revision: 0, title, blocks, waiting: [] };
  return fits(state) ? state : undefined;
}

export function artifactId(value: JsonValue | undefined): string | undefined {
  const isId = typeof value === "string" && value !== "" && value.length <= LIMITS.callIdChars;
  return isId ? value : undefined;
}

export function blockList(value: JsonValue | undefined): readonly JsonObject[] | undefined {
  if (!Array.isArray(value) || value.length === 0) return undefined;
  return value.every(isJsonObject) ? value : undefined;
}

/** Null where there is none; `undefined` for what is no title. */
export function titleIn(object: JsonObject): string | null | undefined {
  const title = ownValue(object, "title");
  if (title === undefined || title === null) return null;
  const isTitle = typeof title === "string" && title.length <= LIMITS.artifactLabelChars;
  return isTitle ? title : undefined;
}

const utf8 = new TextEncoder();
const bytesOf = (value: unknown): number => utf8.encode(JSON.stringify(value)).length;

/** Whether it is within the limits of an artifact; what waits counts too. */
export function fits({ blocks, title, waiting }: ArtifactState): boolean {
  if (blocks.length > LIMITS.artifactBlocks) return false;
  const files = blocks.reduce((sum, block) => sum + fileChars(block), 0);
  if (files > Math.ceil(LIMITS.artifactFileBytes / 3) * 4) return false;
  const waitingBytes = waiting.length === 0 ? 0 : bytesOf(waiting);
  if (waitingBytes > LIMITS.artifactFileBytes) return false;
  return bytesOf({ blocks, title }) - files <= LIMITS.artifactBytes;
}

function fileChars(block: JsonObject): number {
  const data = ownValue(block, "tag") === "file" ? ownValue(block, "data") : undefined;
  return typeof data === "string" ? data.length : 0;
}

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
