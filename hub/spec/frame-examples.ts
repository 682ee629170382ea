import type { AuthFrame, ClientFrame, ServerFrame } from "../../app/protocol/v1/frames.ts";
import { SAMPLE } from "./samples.ts";

const { ids, receipt } = SAMPLE;
const { agent_id, conversation_id } = ids;
const sealed = { encrypted_payload: "AHt9" };
const { capability_manifest_version, capability_manifest_hash } = SAMPLE.agent;
const { status, connection_mode } = SAMPLE.relation;
const relation = {
  payload: { ...ids, granted_scopes: ["filesystem:read"], status, connection_mode },
};
const stream = { conversation_id, stream_id: "s-1", ...sealed };
const relayed = { ...stream, sender_id: agent_id };

/** One of each. */
export const FRAMES_TO_HUB: readonly (AuthFrame | ClientFrame)[] = [
  { type: "auth", agent_id, token: `hsk_${"0".repeat(40)}` },
  {
    type: "message.send",
    client_message_id: receipt.client_message_id,
    conversation_id,
    content_type: "artifact",
    msg_subtype: "artifact_tool_call",
    ...sealed,
  },
  { type: "message.received", conversation_id, conversation_seq: 7 },
  { type: "message.read", conversation_id, seq: 7 },
  { type: "notice.received", notice_id: "12" },
  { type: "history.full", agent_id, full: true },
  { type: "stream.start", ...stream },
  { type: "stream.delta", ...stream },
  { type: "stream.done", ...stream },
  { type: "stream.abort", ...stream },
  { type: "typing.start", conversation_id },
  { type: "typing.stop", conversation_id },
  { type: "pong" },
];

export const FRAMES_FROM_HUB: readonly ServerFrame[] = [
  { type: "auth.ok", subject_id: agent_id },
  {
    type: "auth.error",
    reason: "invalid_token",
    message: "The token is not valid for this connection.",
    i18n_key: "error.auth.invalid_token",
  },
  {
    type: "message.new",
    conversation_id,
    conversation_type: "h2a",
    message_id: receipt.message_id,
    sender_id: agent_id,
    sender_type: "agent",
    content_type: "artifact",
    msg_subtype: "artifact_tool_call",
    ...sealed,
    conversation_seq: 7,
    created_at: "2026-01-01T00:00:00.000Z",
  },
  { type: "keys.changed", owner_id: agent_id, key_id: SAMPLE.keysStanding.key_id },
  { type: "prekeys.low", one_time_left: 3 },
  { type: "message.ack", ...receipt },
  {
    type: "message.refused",
    client_message_id: receipt.client_message_id,
    error: SAMPLE.error,
  },
  { type: "message.read", ...SAMPLE.readPosition },
  {
    type: "group.updated",
    payload: {
      conversation_id,
      change: "members_added",
      title: "Release",
      owner_id: ids.user_id,
      member_count: 2,
      member_ids: [agent_id],
      by: ids.user_id,
    },
  },
  {
    type: "frame.error",
    error: {
      code: "unknown_frame",
      message: "The hub does not know this type of frame.",
      i18n_key: "error.frame.unknown_frame",
      params: {},
    },
  },
  { type: "ping" },
  { type: "agent.presence", agent_id, online: true },
  { type: "pairing.requested", payload: { ...SAMPLE.pairing } },
  { type: "pairing.closed", payload: { pairing_id: "4kZs", outcome: "accepted" } },
  { type: "relation.established", ...relation },
  { type: "relation.updated", ...relation },
  { type: "relation.suspended", ...relation },
  { type: "relation.restored", ...relation },
  { type: "relation.revoked", ...relation },
  {
    type: "h2a.reauth_required",
    payload: {
      notice_id: "12",
      agent_id,
      new_manifest_version: 2,
      new_manifest_hash: capability_manifest_hash,
      scopes_requiring_reauth: ["filesystem:read"],
      breaking_changes: [...SAMPLE.accepted.breaking_changes],
    },
  },
  {
    type: "agent.manifest_changed",
    payload: { agent_id, capability_manifest_version, capability_manifest_hash },
  },
  {
    type: "agent.capability_changed",
    payload: {
      relation_id: ids.relation_id,
      agent_id,
      user_id: ids.user_id,
      capability_manifest_version,
      accepted: true,
      granted_scopes: ["filesystem:read"],
    },
  },
  { type: "stream.start", ...relayed },
  { type: "stream.delta", ...relayed },
  { type: "stream.done", ...relayed },
  { type: "stream.abort", ...relayed },
  { type: "typing.start", conversation_id, sender_id: agent_id },
  { type: "typing.stop", conversation_id, sender_id: agent_id },
  {
    type: "stream.error",
    conversation_id,
    stream_id: "s-1",
    sender_id: agent_id,
    code: "orphaned",
  },
];
