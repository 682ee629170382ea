const text = (name: string) => ({
  label_i18n_key: `agent.scopes.${name}.label`,
  label_fallback: name,
});

const tool = (name: string, permission_scope: string, properties: object, required: string[]) => ({
  name,
  description_i18n_key: `agent.tools.${name}.desc`,
  description_fallback: name,
  input_schema: { type: "object", properties, required, additionalProperties: false },
  permission_scope,
});

/** What the end-to-end agent declares: one tool of each kind, and a high one made of a medium. */
export const MANIFEST = {
  schema_version: "1.0",
  agent_version: "1.0.0",
  tools: [
    tool("send_notification", "notification:send", { title: { type: "string" } }, ["title"]),
    tool("read_file", "filesystem:read", { path: { type: "string" } }, ["path"]),
    tool("list_directory", "filesystem:read", { path: { type: "string" } }, ["path"]),
    tool("write_clipboard", "clipboard:write", { text: { type: "string" } }, ["text"]),
    tool("read_clipboard", "clipboard:read", {}, []),
  ],
  permission_scopes: [
    { id: "notification:send", ...text("notification"), sensitivity: "low" },
    { id: "filesystem:read", ...text("files"), sensitivity: "medium" },
    { id: "clipboard:write", ...text("clipboard"), sensitivity: "medium" },
    { id: "clipboard:read", ...text("clipboard"), sensitivity: "high" },
  ],
};

export const ALL_SCOPES = MANIFEST.permission_scopes.map(({ id }) => id);
