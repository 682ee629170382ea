import type { ReauthAnswer, Relation } from "../hub-records.ts";

/** A breaking manifest came: what it names waits for an answer, beside what waited before. */
export function withReauth(
  relation: Relation,
  manifest_version: number,
  scopes: readonly string[],
): Relation {
  const waiting = relation.reauth?.scopes ?? [];
  return {
    ...relation,
    reauth: { manifest_version, scopes: [...new Set([...waiting, ...scopes])] },
  };
}

/**
 * The relation after the person has answered the page of this manifest version. An answer to an older
 * page than the waiting one does not count (contract §7).
 */
export function withAnswer(relation: Relation, manifest_version: number): Relation {
  const { reauth, granted_scopes } = relation;
  if (reauth === null || manifest_version < reauth.manifest_version) return relation;
  const answer: ReauthAnswer = {
    capability_manifest_version: manifest_version,
    accepted: reauth.scopes.every((scope) => granted_scopes.includes(scope)),
  };
  return { ...relation, reauth: null, answer };
}
