import { VERSION } from "../../main/client/launch/version.ts";

/** In the bundle, with `/`. */
export const SERVER_FILE = "server/index.js";

const DESCRIPTION = "Use this computer's files, clipboard and programs, as the person allows.";

/** `manifest.json` of an MCP bundle, version 0.3 of its format. */
export const bundleManifest = () => ({
  manifest_version: "0.3",
  name: "consentry",
  display_name: "Consentry",
  version: VERSION,
  description: DESCRIPTION,
  long_description:
    "Consentry runs on this computer and asks the person before an agent does something that matters. It must be installed and running; this extension has no permissions of its own.",
  author: { name: "The Consentry authors" },
  license: "Apache-2.0",
  server: {
    type: "node",
    entry_point: SERVER_FILE,
    mcp_config: { command: "node", args: [`\${__dirname}/${SERVER_FILE}`], env: {} },
  },
  tools: [
    { name: "request_permission", description: "Asks the person for permission to use tools." },
  ],
  // What the person grants is offered then, and not before.
  tools_generated: true,
  compatibility: {
    platforms: ["darwin", "linux", "win32"],
    runtimes: { node: ">=22.0.0" },
  },
});

/**
 * `server.json` for an MCP registry.
 * @param url where the bundle is published
 * @param sha256 of the bundle, lowercase hex
 */
export const registryEntry = (url: string, sha256: string) => ({
  $schema: "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
  name: "org.consentry/consentry",
  title: "Consentry",
  description: DESCRIPTION,
  version: VERSION,
  packages: [
    {
      registryType: "mcpb",
      identifier: url,
      version: VERSION,
      fileSha256: sha256,
      transport: { type: "stdio" },
    },
  ],
});
