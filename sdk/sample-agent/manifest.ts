import type { Manifest } from "../index.ts";

const path = {
  type: "string",
  minLength: 1,
  maxLength: 4096,
  description: "Absolute path inside a folder you have allowed",
};

/** One tool of each sensitivity, so that every kind of answer can be seen. */
export const manifest: Manifest = {
  schema_version: "1.0",
  agent_version: "1.0.0",
  tools: [
    {
      name: "send_notification",
      description_i18n_key: "sample.tools.send_notification",
      description_fallback: "Show a system notification",
      input_schema: {
        type: "object",
        properties: {
          title: { type: "string", minLength: 1, maxLength: 100 },
          body: { type: "string", maxLength: 500 },
        },
        required: ["title"],
        additionalProperties: false,
      },
      permission_scope: "notification:send",
    },
    {
      name: "list_directory",
      description_i18n_key: "sample.tools.list_directory",
      description_fallback: "List what is in a folder",
      input_schema: {
        type: "object",
        properties: { path },
        required: ["path"],
        additionalProperties: false,
      },
      permission_scope: "filesystem:read",
    },
    {
      name: "read_file",
      description_i18n_key: "sample.tools.read_file",
      description_fallback: "Read a text file",
      input_schema: {
        type: "object",
        properties: { path },
        required: ["path"],
        additionalProperties: false,
      },
      permission_scope: "filesystem:read",
    },
    {
      name: "read_clipboard",
      description_i18n_key: "sample.tools.read_clipboard",
      description_fallback: "Read the text on the clipboard",
      input_schema: { type: "object", properties: {}, additionalProperties: false },
      permission_scope: "clipboard:read",
    },
    {
      name: "write_clipboard",
      description_i18n_key: "sample.tools.write_clipboard",
      description_fallback: "Put text on the clipboard",
      input_schema: {
        type: "object",
        properties: { text: { type: "string", maxLength: 262_144 } },
        required: ["text"],
        additionalProperties: false,
      },
      permission_scope: "clipboard:write",
    },
  ],
  permission_scopes: [
    {
      id: "notification:send",
      label_i18n_key: "sample.scopes.notification_send",
      label_fallback: "Show notifications",
      description_fallback: "Tell you when the sample agent has started.",
      sensitivity: "low",
    },
    {
      id: "filesystem:read",
      label_i18n_key: "sample.scopes.filesystem_read",
      label_fallback: "Read files",
      description_fallback: "List one folder you choose and read the notes in it.",
      sensitivity: "medium",
    },
    {
      id: "clipboard:read",
      label_i18n_key: "sample.scopes.clipboard_read",
      label_fallback: "Read the clipboard",
      description_fallback: "Ask you each time before it looks at copied text.",
      // Stricter than the preset "medium": a manifest may raise a sensitivity (contract §2.6).
      sensitivity: "high",
    },
    {
      id: "clipboard:write",
      label_i18n_key: "sample.scopes.clipboard_write",
      label_fallback: "Write to the clipboard",
      description_fallback: "Put text on the clipboard for you to paste.",
      sensitivity: "medium",
    },
  ],
  capability_flags: { supports_artifacts: true, supports_streaming: false },
};
