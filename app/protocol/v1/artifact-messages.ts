import type { FieldValues } from "../../contract/artifacts/answer.ts";
import {
  type ArtifactChange,
  type ArtifactState,
  artifactId,
  readArtifact,
} from "../../contract/artifacts/artifact.ts";
import { readChange } from "../../contract/artifacts/revise.ts";
import { isJsonObject, type JsonObject, type JsonValue, ownValue } from "../../contract/json.ts";

/** What an agent sends as an artifact, besides its calls. */
export type SentArtifact =
  | { readonly kind: "artifact"; readonly state: ArtifactState }
  | { readonly kind: "update"; readonly artifactId: string; readonly change: ArtifactChange };

/** The person's answer to an artifact. */
export interface ArtifactResponse {
  readonly ref_artifact: string;
  /** Whose artifact it is: in a group, all members get the answer. */
  readonly ref_agent: string;
  /** The revision that was answered. */
  readonly revision: number;
  /** The key of the action that was chosen. */
  readonly ref_action: string;
  readonly values: FieldValues;
}

/** The person's client lacks changes after this revision, and asks for the whole artifact. */
export type ArtifactFetch = Pick<ArtifactResponse, "ref_artifact" | "ref_agent" | "revision">;

/** The wire's `msg_subtype` of a response is `TOOL_RESPONSE_SUBTYPE`. */
export const ARTIFACT_FETCH_SUBTYPE = "artifact_fetch";
const RESPONSE = "artifact_response";
const UPDATE = "artifact_update";

/** `undefined`: this is none, or one that cannot be drawn. */
export function decodeSentArtifact(payload: JsonValue): SentArtifact | undefined {
  const artifact = artifactIn(payload);
  if (artifact === undefined) return undefined;
  if (ownValue(artifact, "subtype") !== UPDATE) {
    const state = readArtifact(artifact);
    return state && { kind: "artifact", state };
  }
  const id = artifactId(ownValue(artifact, "ref_artifact"));
  const change = readChange(artifact);
  if (id === undefined || change === undefined) return undefined;
  return { kind: "update", artifactId: id, change };
}

export const updateArtifactOf = (ref_artifact: string, change: ArtifactChange): JsonObject => ({
  subtype: UPDATE,
  ref_artifact,
  ...change,
});

const utf8 = new TextEncoder();
const encode = (artifact: object): Uint8Array =>
  utf8.encode(JSON.stringify({ type: "artifact", artifact }));

export const encodeArtifactResponse = (response: ArtifactResponse): Uint8Array =>
  encode({ subtype: RESPONSE, ...response });

export const encodeArtifactFetch = (fetch: ArtifactFetch): Uint8Array =>
  encode({ subtype: ARTIFACT_FETCH_SUBTYPE, ...fetch });

/** `undefined`: this is no response. */
export function decodeArtifactResponse(payload: JsonValue): ArtifactResponse | undefined {
  const artifact = artifactIn(payload);
  if (artifact === undefined || ownValue(artifact, "subtype") !== RESPONSE) return undefined;
  const about = aboutIn(artifact);
  const ref_action = artifactId(ownValue(artifact, "ref_action"));
  const values = ownValue(artifact, "values");
  if (about === undefined || ref_action === undefined) return undefined;
  return values !== undefined && isFieldValues(values)
    ? { ...about, ref_action, values }
    : undefined;
}

/** `undefined`: this asks for no artifact. */
export function decodeArtifactFetch(payload: JsonValue): ArtifactFetch | undefined {
  const artifact = artifactIn(payload);
  const isFetch = artifact && ownValue(artifact, "subtype") === ARTIFACT_FETCH_SUBTYPE;
  return isFetch ? aboutIn(artifact) : undefined;
}

function artifactIn(payload: JsonValue): JsonObject | undefined {
  if (!isJsonObject(payload) || ownValue(payload, "type") !== "artifact") return undefined;
  const artifact = ownValue(payload, "artifact");
  return isJsonObject(artifact) ? artifact : undefined;
}

function aboutIn(artifact: JsonObject): ArtifactFetch | undefined {
  const ref_artifact = artifactId(ownValue(artifact, "ref_artifact"));
  const ref_agent = artifactId(ownValue(artifact, "ref_agent"));
  const revision = ownValue(artifact, "revision");
  if (ref_artifact === undefined || ref_agent === undefined) return undefined;
  if (typeof revision !== "number" || !Number.isSafeInteger(revision)) return undefined;
  return { ref_artifact, ref_agent, revision };
}

function isFieldValues(values: JsonValue): values is FieldValues & JsonObject {
  if (!isJsonObject(values)) return false;
  return Object.values(values).every((value) =>
    Array.isArray(value)
      ? value.every((each) => typeof each === "string")
      : value !== null && typeof value !== "object",
  );
}
