import type { Manifest } from "../../app/contract/manifest.ts";
import { ManualTime } from "../../app/contract/testing/manual-time.ts";
import { HasheeAgent } from "../agent.ts";
import type { AgentOptions } from "../agent-options.ts";
import { AGENT_ID, FakeHub, TOKEN } from "./fake-hub.ts";

export const MANIFEST: Manifest = {
  schema_version: "1.0",
  agent_version: "1.0.0",
  tools: [
    {
      name: "read_file",
      description_i18n_key: "tools.read_file",
      input_schema: {
        type: "object",
        properties: { path: { type: "string" } },
        additionalProperties: false,
      },
      permission_scope: "filesystem:read",
    },
  ],
  permission_scopes: [
    { id: "filesystem:read", label_i18n_key: "scopes.read", sensitivity: "medium" },
  ],
};

/** An agent that is connected to a fake hub, on a clock that stands still. */
export async function startAgent(over: Partial<AgentOptions> = {}) {
  const hub = new FakeHub();
  const clock = new ManualTime();
  const agent = await HasheeAgent.init({
    agentId: AGENT_ID,
    token: TOKEN,
    baseUrl: "http://127.0.0.1:1",
    manifest: MANIFEST,
    webSocket: hub.webSocket,
    clock,
    keyStore: hub.keyStore,
    ...over,
    fetch: over.fetch === undefined ? hub.fetch : hub.fetchOr(over.fetch),
  });
  return { agent, hub, clock };
}
