import { checkManifest } from "../../../app/contract/check-manifest.ts";
import { errorKind } from "../../../app/contract/coded-error.ts";
import { deepFreeze, type JsonValue } from "../../../app/contract/json.ts";
import type { Manifest } from "../../../app/contract/manifest.ts";
import {
  type Grant,
  type GrantState,
  grantedScopes,
  type HubAgent,
  type KnownAgent,
} from "../../../app/grants/grant.ts";
import type { ReauthRequiredFrame } from "../../../app/protocol/v1/frames.ts";
import type { AgentView, RelationView } from "../../../app/protocol/v1/rest.ts";
import type { HubRest } from "../../channels/hub-rest.ts";
import { HUB } from "../agents/known-agents.ts";

/** A relation as REST and frames have it. */
export type Related = Omit<RelationView, "reauth">;

/** An agent as it is stored when its relation begins. @throws ManifestRejected */
export function acceptedAgent(
  { agent_id, relation_id, conversation_id }: Related,
  agent: AgentView,
  stateOf: (scope: string) => GrantState | null,
  now: number,
): Omit<HubAgent, "roots" | "hosts"> {
  const { manifest, hash } = servedManifest(agent);
  const grants = manifest.permission_scopes.flatMap(({ id }): [string, Grant][] => {
    const state = stateOf(id);
    return state === null ? [] : [[id, { scope: id, state, changed_at: now }]];
  });
  return {
    agent_id,
    name: agent.name,
    channel: HUB,
    relation: { relation_id, conversation_id },
    manifest,
    manifest_version: agent.capability_manifest_version,
    manifest_hash: hash,
    reviewed_hash: hash,
    reviewed_manifest: manifest,
    grants: new Map(grants),
    added_at: now,
  };
}

/** Checks a manifest from the hub like any other, and recomputes its hash. */
export function servedManifest(view: AgentView): {
  readonly manifest: Manifest;
  readonly hash: string;
} {
  const value = deepFreeze(view.capability_manifest as JsonValue);
  const verdict = checkManifest(value, JSON.stringify(value).length);
  if (!verdict.ok || verdict.hash !== view.capability_manifest_hash) {
    throw manifestRejected("manifest_rejected", { details: view.agent_id });
  }
  return verdict;
}

/** The hub served a manifest that is invalid, or not the one it announced. */
const manifestRejected = errorKind<"manifest_rejected", string>("ManifestRejected");

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

export type ReauthNotice = ReauthRequiredFrame["payload"];

/**
 * The hub repeats notices until it knows that they were handled. In one run of the program each takes
 * effect once, because the person may have answered it before it is repeated. After a restart it may
 * ask again, which grants nothing.
 */
export class HandledNotices {
  readonly #handled = new Map<string, Promise<boolean>>();

  /** @param handle resolves to false when the hub must repeat the notice */
  once(notice: ReauthNotice, handle: () => Promise<boolean>): Promise<boolean> {
    // By its whole content, not by its id alone: a new hub may use the same id again.
    const key = JSON.stringify(notice);
    const before = this.#handled.get(key);
    if (before !== undefined) return before;
    const handled = handle();
    this.#handled.set(key, handled);
    void handled.then((forGood) => {
      if (!forGood) this.#handled.delete(key);
    });
    return handled;
  }
}
