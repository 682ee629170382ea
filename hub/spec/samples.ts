const ids = {
  relation_id: "2cXw1bQv0yHf8sKp3mTn9d",
  agent_id: "7aLk4eRz6uJg1wVx5oBq2c",
  user_id: "0mNf3iTd8pYh6rSe4lWj9k",
  conversation_id: "5vCu7gPa2xQb0zGo1tMr8h",
};
const capability_manifest_hash = "3f".repeat(32);
const expires_at = "2026-01-01T00:05:00.000Z";
const manifest = {
  schema_version: "1.0",
  agent_version: "1.0.0",
  tools: [
    {
      name: "read_file",
      description_i18n_key: "tools.read_file",
      input_schema: {
        type: "object",
        properties: { path: { type: "string" } },
        required: ["path"],
        additionalProperties: false,
      },
      permission_scope: "filesystem:read",
    },
  ],
  permission_scopes: [
    { id: "filesystem:read", label_i18n_key: "scopes.filesystem_read", sensitivity: "medium" },
  ],
};

/** Values that the examples of the OpenAPI are made of. */
export const SAMPLE = {
  ids,
  hub: "https://hub.example.org",
  time: expires_at,
  person: {
    user_id: ids.user_id,
    name: "Ada",
    role: "member",
    status: "active",
    created_at: expires_at,
  },
  manifest,
  agent: {
    agent_id: ids.agent_id,
    name: "Agent",
    connection_mode: "websocket",
    capability_manifest: manifest,
    capability_manifest_version: 2,
    capability_manifest_hash,
  },
  keys: { identity_card: "AQAWN2FMazRlUno2dUpnMXdWeDVvQnEyYw==", signed_prekey: "AAAAAQ==" },
  oneTimePrekey: "AAAAAg==",
  keysState: { key_id: `${"A".repeat(43)}=`, one_time_left: 100 },
  accepted: {
    agent_id: ids.agent_id,
    capability_manifest_version: 2,
    capability_manifest_hash,
    breaking_changes: [
      {
        pointer: "/tools/0/input_schema/required/0",
        kind: "required_added",
        breaking: true,
        scope: "filesystem:read",
        tool: "read_file",
      },
    ],
    warnings: [{ pointer: "", code: "manifest_large" }],
  },
  relation: {
    ...ids,
    granted_scopes: ["filesystem:read"],
    status: "active",
    connection_mode: "websocket",
    reauth: null,
  },
  conversation: {
    conversation_id: ids.conversation_id,
    type: "group",
    title: "Release",
    owner_id: ids.user_id,
    member_count: 2,
    last_seq: 7,
    read_seq: 6,
  },
  members: [
    {
      member_id: ids.user_id,
      member_type: "human",
      role: "owner",
      name: null,
      read_seq: 6,
    },
    {
      member_id: ids.agent_id,
      member_type: "agent",
      role: "member",
      name: "Agent",
      read_seq: 7,
      status: "active",
    },
  ],
  readPosition: { conversation_id: ids.conversation_id, user_id: ids.user_id, seq: 7 },
  ticket: {
    pairing_id: "4kZs",
    code: "K7P-4MX",
    pairing_token: "hsp_9xYw",
    expires_at,
    warnings: [],
    person_card: null,
  },
  pairing: {
    pairing_id: "4kZs",
    code: "K7P-4MX",
    name: "Agent",
    capability_manifest: manifest,
    capability_manifest_hash,
    expires_at,
  },
  receipt: {
    client_message_id: "01JA8M",
    message_id: "8rTe",
    conversation_id: ids.conversation_id,
    conversation_seq: 7,
  },
} as const;
