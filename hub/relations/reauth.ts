import { type Manifest, manifestScope } from "../../app/contract/manifest.ts";
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
