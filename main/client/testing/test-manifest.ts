import type { Manifest, ManifestScope, ManifestTool } from "../../../app/contract/manifest.ts";

const tool = (
  name: string,
  permission_scope: string,
  properties: Record<string, { type: string }> = {},
): ManifestTool => ({
  name,
  description_i18n_key: `test.tools.${name}`,
  description_fallback: name,
  input_schema: {
    type: "object",
    properties,
    required: Object.keys(properties),
    additionalProperties: false,
  },
  permission_scope,
});

const scope = (id: string, sensitivity: ManifestScope["sensitivity"]): ManifestScope => ({
  id,
  label_i18n_key: `test.scopes.${id.replace(":", "_")}`,
  label_fallback: id,
  sensitivity,
});

/** Tools that take any object, with the scope of each; the scopes are high. */
export function highManifest(tools: Readonly<Record<string, string>>): Manifest {
  const scopes = [...new Set(Object.values(tools))];
  return {
    schema_version: "1.0",
    agent_version: "1.0.0",
    tools: Object.entries(tools).map(([name, permission_scope]) => ({
      ...tool(name, permission_scope),
      input_schema: { type: "object", additionalProperties: true },
      timeout_ms: 300_000,
    })),
    permission_scopes: scopes.map((id) => scope(id, "high")),
  };
}

/** A low scope, two medium ones, and a medium preset that this manifest raises to high. */
export const MANIFEST: Manifest = {
  schema_version: "1.0",
  agent_version: "1.0.0",
  tools: [
    tool("send_notification", "notification:send", { title: { type: "string" } }),
    tool("read_file", "filesystem:read", { path: { type: "string" } }),
    tool("write_clipboard", "clipboard:write", { text: { type: "string" } }),
    tool("read_clipboard", "clipboard:read"),
  ],
  permission_scopes: [
    scope("notification:send", "low"),
    scope("filesystem:read", "medium"),
    scope("clipboard:write", "medium"),
    scope("clipboard:read", "high"),
  ],
};

export const ALL_SCOPES = MANIFEST.permission_scopes.map(({ id }) => id);

/** The same abilities in a new version: nothing here is breaking (contract §8). */
export const NEXT_MANIFEST: Manifest = { ...MANIFEST, agent_version: "1.0.1" };

/** Raises notifications from low to medium: breaking for that scope alone (contract §8). */
export const RAISED_MANIFEST: Manifest = {
  ...MANIFEST,
  agent_version: "2.0.0",
  permission_scopes: MANIFEST.permission_scopes.map((each) =>
    each.id === "notification:send" ? { ...each, sensitivity: "medium" } : each,
  ),
};

/** Lowers the clipboard from medium to low: breaking for that scope alone (contract §7). */
export const LOWERED_MANIFEST: Manifest = {
  ...MANIFEST,
  agent_version: "3.0.0",
  permission_scopes: MANIFEST.permission_scopes.map((each) =>
    each.id === "clipboard:write" ? { ...each, sensitivity: "low" } : each,
  ),
};

/** Without its clipboard: tools and scopes that are removed are not breaking (contract §8). */
export const SMALLER_MANIFEST: Manifest = {
  ...MANIFEST,
  agent_version: "1.1.0",
  tools: MANIFEST.tools.filter(({ permission_scope }) => !permission_scope.startsWith("clip")),
  permission_scopes: MANIFEST.permission_scopes.filter(({ id }) => !id.startsWith("clip")),
};
