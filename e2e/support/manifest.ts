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

/** What the end-to-end agent declares: tools of each kind, and a high one made of a medium. */
export const MANIFEST = {
  schema_version: "1.0",
  agent_version: "1.0.0",
  tools: [
    tool("send_notification", "notification:send", { title: { type: "string" } }, ["title"]),
    tool("read_file", "filesystem:read", { path: { type: "string" } }, ["path"]),
    tool("list_directory", "filesystem:read", { path: { type: "string" } }, ["path"]),
    tool(
      "write_file",
      "filesystem:write",
      { path: { type: "string" }, content: { type: "string" }, if_exists: { type: "string" } },
      ["path", "content"],
    ),
    tool(
      "edit_file",
      "filesystem:write",
      { path: { type: "string" }, edits: { type: "array", items: { type: "object" } } },
      ["path", "edits"],
    ),
    tool(
      "move_file",
      "filesystem:write",
      { from: { type: "string" }, to: { type: "string" }, overwrite: { type: "boolean" } },
      ["from", "to"],
    ),
    tool("delete_file", "filesystem:write", { path: { type: "string" } }, ["path"]),
    tool(
      "fetch_url",
      "network:http",
      {
        url: { type: "string" },
        method: { type: "string" },
        headers: { type: "object" },
        body: { type: "string" },
      },
      ["url"],
    ),
    {
      ...tool(
        "run_command",
        "shell:exec",
        {
          argv: { type: "array", items: { type: "string" } },
          directory: { type: "string" },
          network: { type: "boolean" },
        },
        ["argv", "directory"],
      ),
      timeout_ms: 120_000,
    },
    tool("write_clipboard", "clipboard:write", { text: { type: "string" } }, ["text"]),
    tool("read_clipboard", "clipboard:read", {}, []),
  ],
  permission_scopes: [
    { id: "notification:send", ...text("notification"), sensitivity: "low" },
    { id: "filesystem:read", ...text("files"), sensitivity: "medium" },
    { id: "filesystem:write", ...text("writing"), sensitivity: "high" },
    { id: "network:http", ...text("network"), sensitivity: "medium" },
    { id: "shell:exec", ...text("commands"), sensitivity: "high" },
    { id: "clipboard:write", ...text("clipboard"), sensitivity: "medium" },
    { id: "clipboard:read", ...text("clipboard"), sensitivity: "high" },
  ],
};

export const ALL_SCOPES = MANIFEST.permission_scopes.map(({ id }) => id);
