import { grantedScopes, type HubAgent, type KnownAgent } from "../../../app/grants/grant.ts";
import type { RelationView } from "../../../app/protocol/v1/rest.ts";
import type { HubRest } from "../../channels/hub-rest.ts";

/** Tells the hub the current grants, and that a wanted re-consent was answered, where it lacks them. */
export async function tellGrants(
  rest: Pick<HubRest, "setGrantedScopes">,
  known: HubAgent,
  relation: RelationView,
): Promise<void> {
  const granted = grantedScopes(known);
  const answered = answeredVersion(known, relation);
  if (answered === undefined && sameMembers(granted, relation.granted_scopes)) return;
  await rest.setGrantedScopes(relation.relation_id, granted, answered);
}

/** The person answered while the hub could not be reached, and the hub still waits for it. */
function answeredVersion(known: KnownAgent, { reauth }: RelationView): number | undefined {
  const { manifest_version, manifest_hash, reviewed_hash, grants } = known;
  if (reauth === null || reviewed_hash !== manifest_hash) return undefined;
  const waits = reauth.scopes.some((scope) => grants.get(scope)?.state === "awaiting_reconsent");
  return waits || manifest_version < reauth.manifest_version ? undefined : manifest_version;
}

const sameMembers = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((member) => other.includes(member));
