import { randomUUID } from "node:crypto";
import { canonicalJson, digestOf } from "../../../app/contract/digest.ts";
import { deepFreeze, type JsonObject } from "../../../app/contract/json.ts";
import type { Manifest } from "../../../app/contract/manifest.ts";
import type { ToolResponse } from "../../../app/contract/tool-call.ts";
import type { Withheld } from "../../../app/execution/ports.ts";
import type { KnownAgent } from "../../../app/grants/grant.ts";
import type { CallIntake, Channel, ChannelAgents, ChannelHost } from "../channel.ts";

/** A second channel, built by the recipe in docs/architecture.md, with agents in this process. */
export class MemoryChannel implements Channel {
  readonly name = "memory";
  readonly agents: ChannelAgents;
  /** What a test sets about its agents. */
  ready: Promise<void> = Promise.resolve();
  withheld: Withheld | null = null;
  readonly away = new Set<string>();
  /** What the other end was told about grants, and the agents it removed. */
  readonly told: string[] = [];
  isOpen = false;
  readonly #host: ChannelHost;
  readonly #intake: CallIntake;

  constructor(host: ChannelHost) {
    this.#host = host;
    this.agents = {
      ready: () => this.ready,
      agent: (agentId) => {
        const known = host.agents.agent(agentId);
        if (known?.channel !== this.name) return undefined;
        return { ...known, key_mark: { kind: "unknown" }, withheld: this.withheld };
      },
      isGone: (agentId) => this.away.has(agentId),
      isOnline: (agentId) => !this.away.has(agentId),
      statusOf: () => ({ relation: "active", delivery: "websocket" }),
      isNewest: () => true,
      tellGrants: async ({ agent_id, grants }) => {
        const granted = [...grants.values()].filter(({ state }) => state === "granted");
        this.told.push(`${agent_id} has ${granted.length}`);
      },
      tellSuspended: async ({ agent_id }, suspended) =>
        void this.told.push(`${agent_id} ${suspended ? "suspended" : "resumed"}`),
      release: async ({ agent_id }) => void this.told.push(`${agent_id} let go`),
      forget: () => {},
    };
    this.#intake = host.intake(this);
  }

  open(): void {
    this.isOpen = true;
  }

  close(): void {
    this.isOpen = false;
  }

  /** The person adds an agent with these scopes. */
  async add(agent_id: string, manifest: Manifest, scopes: readonly string[]): Promise<void> {
    const now = this.#host.clock.now();
    const manifest_hash = digestOf(manifest as unknown as JsonObject);
    const agent: KnownAgent = {
      agent_id,
      name: agent_id,
      channel: this.name,
      relation: null,
      manifest,
      manifest_version: 1,
      manifest_hash,
      reviewed_hash: manifest_hash,
      reviewed_manifest: manifest,
      grants: new Map(
        scopes.map((scope) => [scope, { scope, state: "granted", changed_at: now }] as const),
      ),
      roots: [],
      hosts: [],
      added_at: now,
    };
    await this.#host.agents.accept(agent);
    this.#host.changed();
  }

  call(
    agent_id: string,
    tool: string,
    args: JsonObject,
    call_id: string = randomUUID(),
  ): Promise<ToolResponse | null> {
    const known = this.#host.agents.agent(agent_id);
    const declared = known?.manifest.tools.find(({ name }) => name === tool);
    const call = deepFreeze({
      call_id,
      tool_name: tool,
      arguments: args,
      canonical_arguments: canonicalJson(args),
      arguments_digest: digestOf(args),
      permission_scope: declared?.permission_scope ?? "none:none",
    });
    return this.#intake.handle({
      decoded: { kind: "call", call },
      agent_id,
      conversation_id: `session of ${agent_id}`,
      conversation_type: "h2a",
    });
  }

  giveUp(agent_id: string, call_id: string): Promise<boolean> {
    return this.#intake.giveUp({ agent_id, call_id });
  }

  /** Its other end has been away longer than a reconnect takes. */
  lose(agent_id: string): void {
    this.away.add(agent_id);
    this.#host.live.end({ agent_id }, "agent_gone");
  }
}
