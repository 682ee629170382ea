import { fileURLToPath } from "node:url";
import { Client as NewClient } from "@modelcontextprotocol/client";
import { StdioClientTransport as NewTransport } from "@modelcontextprotocol/client/stdio";
import { Client as OldClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as OldTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const SCRIPT = fileURLToPath(new URL("../../../../scripts/mcp.mjs", import.meta.url));

export interface StdioPlace {
  readonly dataDir: string;
  /** Where the client keeps its settings and so its token. */
  readonly config: string;
  readonly flags?: readonly string[];
  /** What runs the server; this very Node unless said. */
  readonly program?: string;
}

/** How an MCP client starts its server. */
const command = ({
  dataDir,
  config,
  flags = ["--no-start"],
  program = process.execPath,
}: StdioPlace) => ({
  command: program,
  args: [SCRIPT, "--data-dir", dataDir, ...flags],
  env: { PATH: process.env.PATH ?? "", XDG_CONFIG_HOME: config },
  stderr: "inherit" as const,
});

/** The official client of the first line (1.x), which knows the older revisions only. */
export async function oldClient(place: StdioPlace, name = "Old client"): Promise<OldClient> {
  const client = new OldClient({ name, version: "1.0.0" });
  await client.connect(new OldTransport(command(place)));
  return client;
}

/** The official client of the second line, in the newest revision or as it is by default. */
export async function newClient(
  place: StdioPlace,
  mode: "auto" | "legacy" = "auto",
  name = "New client",
): Promise<NewClient> {
  const client = new NewClient({ name, version: "2.0.0" }, { versionNegotiation: { mode } });
  await client.connect(new NewTransport(command(place)));
  return client;
}
