import type { ReauthRequiredFrame } from "../../app/protocol/v1/frames.ts";
import type { ManifestAccepted } from "../../app/protocol/v1/rest.ts";
import type { HubParts } from "../hub-parts.ts";
import { breakingChanges } from "../manifest-diff/breaking-changes.ts";
import { Refusal } from "../refusal.ts";
import { withReauth } from "../relations/reauth.ts";
import { type AgentRow, manifestOf } from "../storage/agent-store.ts";
import type { NewNotice } from "../storage/notice-store.ts";
import type { Relation } from "../storage/relation-store.ts";
import { hashToken, newAgentToken } from "../tokens/bearer-token.ts";
import { newId } from "../tokens/random-text.ts";
import { noteReauth } from "../webhooks/note-events.ts";
import type { CheckedManifest } from "./read-checked-manifest.ts";

export interface RegisteredAgent {
  readonly agent: AgentRow;
  /** Told once; the hub keeps only its hash. */
  readonly token: string;
}

/**
 * Must run inside a transaction.
 * @param agentId its own choice, where its card has one
 */
export function registerAgent(
  parts: HubParts,
  name: string,
  { manifest, hash }: CheckedManifest,
  agentId: string = newId(parts.random),
): RegisteredAgent {
  const token = newAgentToken(parts.random);
  const agent: AgentRow = {
    agent_id: agentId,
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
  const { accepted, notices } = parts.atomically(() => {
    const agent = parts.agents.find(agentId);
    if (agent === undefined) throw new Refusal("NOT_FOUND");
    const version = agent.manifest_version + 1;
    const breaking = breakingChanges(manifestOf(agent), manifest);
    parts.agents.setManifest(agentId, JSON.stringify(manifest), version, hash);
    const accepted: ManifestAccepted = {
      agent_id: agentId,
      capability_manifest_version: version,
      capability_manifest_hash: hash,
      breaking_changes: breaking,
    };
    return { accepted, notices: keepReauthNotices(parts, accepted) };
  });
  announceManifest(parts, accepted, notices);
  return accepted;
}

/** By the person's id. */
type Notices = ReadonlyMap<string, ReauthRequiredFrame>;

/** Kept with the manifest in one transaction, so that no crash loses the need to ask again. */
function keepReauthNotices(parts: HubParts, accepted: ManifestAccepted): Notices {
  const { agent_id, breaking_changes } = accepted;
  if (breaking_changes.length === 0) return new Map();
  const notice: NewNotice = {
    agent_id,
    new_manifest_version: accepted.capability_manifest_version,
    new_manifest_hash: accepted.capability_manifest_hash,
    scopes_requiring_reauth: [...new Set(breaking_changes.map((change) => change.scope))],
  };
  const { new_manifest_version, scopes_requiring_reauth } = notice;
  const related = livingRelations(parts, agent_id);
  for (const relation of related) {
    parts.relations.put(withReauth(relation, new_manifest_version, scopes_requiring_reauth));
    noteReauth(parts, relation, notice);
  }
  return new Map(related.map(({ user_id }) => [user_id, parts.notices.add(user_id, notice)]));
}

/** Suspended ones too: restored, they must not go on under what nobody was shown. */
const livingRelations = (parts: HubParts, agentId: string): readonly Relation[] =>
  parts.relations.ofAgent(agentId).filter(({ status }) => status !== "revoked");

function announceManifest(parts: HubParts, accepted: ManifestAccepted, notices: Notices): void {
  const { agent_id, capability_manifest_version, capability_manifest_hash } = accepted;
  const relations = livingRelations(parts, agent_id);
  for (const { conversation_id } of relations) parts.webhooks.wake(agent_id, conversation_id);
  for (const userId of new Set([parts.userId, ...relations.map(({ user_id }) => user_id)])) {
    parts.connections.send(userId, {
      type: "agent.manifest_changed",
      payload: { agent_id, capability_manifest_version, capability_manifest_hash },
    });
    const notice = notices.get(userId);
    if (notice !== undefined) parts.connections.send(userId, notice);
  }
}
