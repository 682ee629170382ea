import type { Manifest } from "../../app/contract/manifest.ts";
import { ManualTime } from "../../app/contract/testing/manual-time.ts";
import { HasheeAgent } from "../agent.ts";
import type { AgentEvent } from "../events.ts";
import type { AgentClock, AgentOptions } from "../options.ts";
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

/** Of the agent that a fake hub knows, which asks the hub for its manifest. */
export const optionsAt = (hub: FakeHub, clock: AgentClock) => ({
  agentId: AGENT_ID,
  token: TOKEN,
  baseUrl: "http://127.0.0.1:1",
  fetch: hub.fetch,
  webSocket: hub.webSocket,
  keyStore: hub.keyStore,
  clock,
});

/** An agent that is connected to a fake hub, on a clock that stands still. */
export async function startAgent(over: Partial<AgentOptions> = {}, hub: FakeHub = new FakeHub()) {
  const clock = new ManualTime();
  const agent = await HasheeAgent.init({
    ...optionsAt(hub, clock),
    manifest: MANIFEST,
    ...over,
  });
  return { agent, hub, clock };
}

/** What the agent's program hears, as it comes. */
export function eventsOf(agent: HasheeAgent): readonly AgentEvent[] {
  const events: AgentEvent[] = [];
  agent.addEventHandler((event) => events.push(event));
  return events;
}
