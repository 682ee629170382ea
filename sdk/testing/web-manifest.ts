import type { Manifest } from "../../app/contract/manifest.ts";

/** One tool of each sensitivity, as an agent with a model behind it would declare them. */
export const WEB_MANIFEST: Manifest = {
  schema_version: "1.0",
  agent_version: "1.0.0",
  tools: [
    {
      name: "fetch_url",
      description_i18n_key: "agent.tools.fetch_url.desc",
      description_fallback: "Fetch a web page",
      input_schema: {
        type: "object",
        properties: {
          url: { type: "string" },
          method: { enum: ["GET", "HEAD"] },
        },
        required: ["url"],
        additionalProperties: false,
      },
      permission_scope: "network:http",
    },
    {
      name: "send_notification",
      description_i18n_key: "agent.tools.send_notification.desc",
      input_schema: {
        type: "object",
        properties: { title: { type: "string" } },
        required: ["title"],
        additionalProperties: false,
      },
      permission_scope: "notification:send",
    },
    {
      name: "get_location",
      description_i18n_key: "agent.tools.get_location.desc",
      input_schema: { type: "object", additionalProperties: false },
      permission_scope: "location:read",
    },
  ],
  permission_scopes: [
    {
      id: "network:http",
      label_i18n_key: "agent.scopes.network",
      label_fallback: "Fetch web pages",
      sensitivity: "medium",
    },
    { id: "notification:send", label_i18n_key: "agent.scopes.notify", sensitivity: "low" },
    { id: "location:read", label_i18n_key: "agent.scopes.location", sensitivity: "high" },
  ],
};
