export function sampleManifest(change: Readonly<Record<string, unknown>> = {}) {
  return {
    schema_version: "1.0",
    agent_version: "1.0.0",
    tools: [
      {
        name: "read_file",
        description_i18n_key: "tool.read_file",
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
      { id: "filesystem:read", label_i18n_key: "scope.read", sensitivity: "medium" },
      { id: "notification:send", label_i18n_key: "scope.notify", sensitivity: "low" },
    ],
    ...change,
  };
}
