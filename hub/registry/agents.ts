import type { BreakingChange, ManifestAccepted } from "../../app/protocol/v1/rest.ts";
import type { HubParts } from "../hub-parts.ts";
import { breakingChanges } from "../manifest-diff/breaking-changes.ts";
import { Refusal } from "../refusal.ts";
import { type AgentRow, manifestOf } from "../storage/agent-store.ts";
import { hashToken, newAgentToken } from "../tokens/bearer-token.ts";
import { newId } from "../tokens/random-text.ts";
import type { CheckedManifest } from "./read-checked-manifest.ts";

export interface RegisteredAgent {
  readonly agent: AgentRow;
  /** Told once; the hub keeps only its hash. */
  readonly token: string;
}

/** Must run inside a transaction. */
export function registerAgent(
  parts: HubParts,
  name: string,
  { manifest, hash }: CheckedManifest,
): RegisteredAgent {
  const token = newAgentToken(parts.random);
  const agent: AgentRow = {
    agent_id: newId(parts.random),
    owner_id: parts.userId,
    name,
    token_hash: hashToken(token),
    manifest: JSON.stringify(manifest),
    manifest_version: 1,
    manifest_hash: hash,
  };
  parts.agents.insert({ ...agent, created_at: parts.clock.now() });
  return { agent, token };
}

/**
 * Takes a new manifest: version +1, even for an identical one (contract §8). Reading the version,
 * comparing and writing are one transaction, so no version is skipped or given twice.
 * @throws Refusal NOT_FOUND
 */
export function replaceManifest(
  parts: HubParts,
  agentId: string,
  { manifest, hash }: CheckedManifest,
): ManifestAccepted {
  const accepted = parts.atomically((): ManifestAccepted => {
    const agent = parts.agents.find(agentId);
    if (agent === undefined) throw new Refusal("NOT_FOUND");
    const version = agent.manifest_version + 1;
    const breaking = breakingChanges(manifestOf(agent), manifest);
    parts.agents.setManifest(agentId, JSON.stringify(manifest), version, hash);
    if (breaking.length > 0) keepReauthNotices(parts, agentId, version, hash, breaking);
    return {
      agent_id: agentId,
      capability_manifest_version: version,
      capability_manifest_hash: hash,
      breaking_changes: breaking,
    };
  });
  announceManifest(parts, accepted);
  return accepted;
}

/** Kept with the manifest in one transaction, so that no crash loses the need to ask again. */
function keepReauthNotices(
  parts: HubParts,
  agentId: string,
  version: number,
  hash: string,
  breaking: readonly BreakingChange[],
): void {
  const frame = JSON.stringify({
    type: "h2a.reauth_required",
    payload: {
      agent_id: agentId,
      new_manifest_version: version,
      new_manifest_hash: hash,
      scopes_requiring_reauth: [...new Set(breaking.map((change) => change.scope))],
    },
  });
  for (const { user_id } of parts.relations.activeOfAgent(agentId)) {
    parts.notices.add(user_id, frame);
  }
}

function announceManifest(parts: HubParts, accepted: ManifestAccepted): void {
  const { agent_id, capability_manifest_version, capability_manifest_hash } = accepted;
  const related = parts.relations.activeOfAgent(agent_id).map(({ user_id }) => user_id);
  for (const userId of new Set([parts.userId, ...related])) {
    parts.connections.send(userId, {
      type: "agent.manifest_changed",
      payload: { agent_id, capability_manifest_version, capability_manifest_hash },
    });
    sendNotices(parts, userId);
  }
}

function sendNotices(parts: HubParts, userId: string): void {
  if (!parts.connections.isOnline(userId)) return;
  for (const { notice_id, frame } of parts.notices.waiting(userId)) {
    parts.connections.sendText(userId, frame);
    parts.notices.remove(notice_id);
  }
}
