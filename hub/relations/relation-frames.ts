import { assertNever } from "../../app/contract/assert-never.ts";
import { type Manifest, manifestScope } from "../../app/contract/manifest.ts";
import type {
  CapabilityChangedFrame,
  RelationFrame,
  ServerFrame,
} from "../../app/protocol/v1/frames.ts";
import type { RelationView } from "../../app/protocol/v1/rest.ts";
import type { NewNotice, ReauthAnswer, Relation } from "../hub-records.ts";

/** Everybody who had this agent has removed it. One that nobody has added yet is not removed. */
export const isRemoved = (relations: readonly Relation[]): boolean =>
  relations.length > 0 && relations.every(({ status }) => status === "revoked");

/** The relation as the person sees it. */
export const relationView = ({ answer: _, ...relation }: Relation): RelationView => relation;

/**
 * A relation's state for somebody who connects, including changes made while they were away. The
 * agent also gets the person's last answer.
 */
export function relationFrames(relation: Relation, hearer: "agent" | "human"): ServerFrame[] {
  const frame = relationFrame(statusFrameType(relation.status), relation);
  const answer = hearer === "agent" ? capabilityChangedFrame(relation) : undefined;
  return answer === undefined ? [frame] : [frame, answer];
}

function statusFrameType(status: Relation["status"]): RelationFrame["type"] {
  switch (status) {
    case "active":
      return "relation.established";
    case "suspended":
      return "relation.suspended";
    case "revoked":
      return "relation.revoked";
    default:
      return assertNever(status);
  }
}

export function relationFrame(
  type: RelationFrame["type"],
  { reauth: _, answer: __, ...relation }: Relation,
): RelationFrame {
  return { type, payload: { ...relation, granted_scopes: [...relation.granted_scopes] } };
}

/** The person's answer, sent only to the agent. */
export function capabilityChangedFrame(relation: Relation): CapabilityChangedFrame | undefined {
  const { relation_id, agent_id, user_id, answer } = relation;
  if (answer === null || relation.status === "revoked") return undefined;
  const granted_scopes = [...relation.granted_scopes];
  return {
    type: "agent.capability_changed",
    payload: { relation_id, agent_id, user_id, ...answer, granted_scopes },
  };
}

/** A breaking manifest came: what its person is asked about waits for an answer, beside what waited before. */
export function withReauth(
  relation: Relation,
  { new_manifest_version: manifest_version, scopes_requiring_reauth }: NewNotice,
): Relation {
  const scopes = [...new Set([...(relation.reauth?.scopes ?? []), ...scopes_requiring_reauth])];
  return scopes.length === 0 ? relation : { ...relation, reauth: { manifest_version, scopes } };
}

/**
 * The relation after the person has answered the page of this manifest version. An answer to an older
 * page than the waiting one does not count (contract §7).
 * @param manifest the present one: what it no longer asks for needs no consent
 */
export function withAnswer(
  relation: Relation,
  manifest: Manifest,
  manifest_version: number,
): Relation {
  const { reauth, granted_scopes } = relation;
  if (reauth === null || manifest_version < reauth.manifest_version) return relation;
  const answer: ReauthAnswer = {
    capability_manifest_version: manifest_version,
    accepted: reauth.scopes.every(
      (scope) => granted_scopes.includes(scope) || manifestScope(manifest, scope) === undefined,
    ),
  };
  return { ...relation, reauth: null, answer };
}
