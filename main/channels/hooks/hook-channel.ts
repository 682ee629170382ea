import { AGENT_CATALOGUE } from "../../../app/contract/agent-catalogue.ts";
import { folderAbove } from "../../../app/contract/folder-path.ts";
import type { JsonObject } from "../../../app/contract/json.ts";
import type { Manifest } from "../../../app/contract/manifest.ts";
import type {
  Preview,
  PreviewContext,
  Scheduler,
  Tool,
  ToolBox,
} from "../../../app/execution/ports.ts";
import type { Channel, ChannelAgents, ChannelHost, OpenChannel } from "../channel.ts";
import { AgentPresence, localAgents } from "../local/local-agents.ts";
import { LocalClients } from "../local/local-clients.ts";
import { manifestOf } from "../mcp/tool-offers.ts";
import { HookCalls } from "./hook-calls.ts";
import { HookServers } from "./hook-servers.ts";
import { forgetHookWay, setHookWay } from "./hook-ways.ts";
import { placedNow } from "./placed-now.ts";
import { LineParser, type SecondReader } from "./second-reader.ts";

/** Stored with each of its agents and in the log. */
const HOOK = "hook";

export interface HookChannelParts {
  readonly dataDir: string;
  readonly scheduler: Scheduler;
  /** Of the built `line-worker`. */
  readonly lineWorker: URL;
}

/** Agents on this computer that ask before they run their own tools (docs/hooks.md). */
export const openHookChannel =
  (parts: HookChannelParts): OpenChannel =>
  (host) =>
    new HookChannel(parts, host);

class HookChannel implements Channel {
  readonly name = HOOK;
  readonly agents: ChannelAgents;
  readonly toolsFrom: NonNullable<Channel["toolsFrom"]>;
  readonly pairings: LocalClients;
  readonly #servers: HookServers;
  readonly #host: ChannelHost;
  readonly #presence: AgentPresence;
  readonly #lines: LineParser;

  constructor({ dataDir, scheduler, lineWorker }: HookChannelParts, host: ChannelHost) {
    this.#lines = new LineParser(lineWorker);
    this.toolsFrom = (ours) => decidedOnly(ours, this.#lines);
    this.#host = host;
    this.#presence = new AgentPresence(scheduler, {
      gone: (agent_id) => {
        calls.gone(agent_id);
        host.live.end({ agent_id }, "agent_gone");
      },
      changed: () => host.changed(),
    });
    this.pairings = new LocalClients({
      host,
      scheduler,
      channel: HOOK,
      manifest: hookManifest(),
      delivery: "hook",
      connected: (agentId, way) => setHookWay(host.settings, agentId, way),
      granted: () => {},
    });
    this.agents = localAgents({
      host,
      channel: HOOK,
      delivery: "hook",
      presence: this.#presence,
      environment: (agentId) => calls.environmentOf(agentId),
      tellGrants: async () => {},
      tellSuspended: async () => {},
      forget: (agentId) => {
        calls.forget(agentId);
        void forgetHookWay(host.settings, agentId).catch(host.report);
        this.pairings.forget(agentId);
      },
    });
    const calls = new HookCalls(host, host.intake(this));
    const came = (agentId: string) => this.#presence.asked(agentId);
    const { pairings: clients } = this;
    this.#servers = new HookServers({ dataDir, host, clients, calls, scheduler, came });
  }

  open(): void {
    void this.pairings.renewManifests().catch(this.#host.report);
    this.#servers.open();
  }

  close(): void {
    this.#servers.close();
    this.pairings.close();
    this.#presence.close();
    this.#lines.close();
  }
}

const NOTHING: Preview = { shown: null, seen: null };

/** What a call is answered with that the agent now carries out. */
const DECIDED_HERE = { carried_out_by: "agent" } as const;

/**
 * For agents that run their own tools and ask here first. A call is checked, shown, decided and logged
 * like any other, and then nothing runs. The agent's own folders and limits hold, not ours.
 */
export const decidedOnly = (ours: ToolBox, reader: SecondReader): ToolBox => ({
  tool(entry) {
    return onlyDecided(entry, ours.tool(entry), reader);
  },
});

const onlyDecided = (
  { name }: { readonly name: string },
  tool: Tool | undefined,
  reader: SecondReader,
): Tool => ({
  decidedOnly: true,
  available: () => true,
  preflight: () => null,
  placed: placedNow(reader),
  // What a program would be kept from depends on who starts it, so only files are previewed.
  ...(tool?.preview && (name === "write_file" || name === "edit_file")
    ? { preview: previewing(tool.preview) }
    : {}),
  run: async (_, { chosen }) => (chosen === undefined ? DECIDED_HERE : { ...DECIDED_HERE, chosen }),
});

/** A file that cannot be read here may still be changed by the agent: then its arguments are shown. */
const previewing =
  (preview: NonNullable<Tool["preview"]>) =>
  async (args: JsonObject, context: PreviewContext): Promise<Preview> => {
    const folder = typeof args.path === "string" ? folderAbove(args.path) : null;
    if (folder === null) return NOTHING;
    const anywhere = { root_id: "", path: folder, access: "read_write", added_at: 0 } as const;
    try {
      return await preview(args, { ...context, roots: [anywhere] });
    } catch {
      return NOTHING;
    }
  };

/** What an agent with hooks may ask for. Which of it is granted, the person says. */
export const hookManifest = (): Manifest => manifestOf([...AGENT_CATALOGUE.values()]);
