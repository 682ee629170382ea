import type { RelationFrame } from "../../app/protocol/v1/frames.ts";
import type { HubParts } from "../hub-parts.ts";
import type { NewNotice } from "../storage/notice-store.ts";
import type { Relation } from "../storage/relation-store.ts";

/**
 * What a webhook agent is told of its relations: one that connects learns how they stand, one that
 * is called has only these events. Each must run inside the transaction of the change it tells.
 */
export function noteRelation(
  parts: HubParts,
  type: RelationFrame["type"],
  relation: Relation,
): void {
  // Only a webhook agent is noted anything.
  const standing = { status: relation.status, connection_mode: "webhook" };
  note(parts, relation, type, { ...partiesOf(relation), ...standing });
}

/** The person has answered the page of a breaking manifest. */
export function noteAnswer(parts: HubParts, relation: Relation): void {
  const { conversation_id: _, ...parties } = partiesOf(relation);
  note(parts, relation, "agent.capability_changed", { ...parties, ...relation.answer });
}

export function noteReauth(parts: HubParts, relation: Relation, notice: NewNotice): void {
  note(parts, relation, "h2a.reauth_required", notice);
}

const partiesOf = ({
  relation_id,
  agent_id,
  user_id,
  conversation_id,
  granted_scopes,
}: Relation) => ({ relation_id, agent_id, user_id, conversation_id, granted_scopes });

function note(parts: HubParts, relation: Relation, type: string, payload: object): void {
  const { agent_id, conversation_id, user_id } = relation;
  parts.webhooks.note({ agent_id, conversation_id, sender_id: user_id, type, payload });
}
