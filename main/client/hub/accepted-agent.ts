import type { Grant, GrantState, HubAgent } from "../../../app/grants/grant.ts";
import type { AgentView, RelationView } from "../../../app/protocol/v1/rest.ts";
import { HUB } from "../agents/known-agents.ts";
import { servedManifest } from "./served-manifest.ts";

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
