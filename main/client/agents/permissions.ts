import { bridgeError } from "../../../app/bridge/client-bridge.ts";
import type { CallSubject } from "../../../app/contract/call-subject.ts";
import { isInFolder } from "../../../app/contract/folder-path.ts";
import { isSameHost, type NetworkHost } from "../../../app/contract/network-host.ts";
import type { LiveCalls } from "../../../app/execution/live-calls.ts";
import type { KnownAgent, Root } from "../../../app/grants/grant.ts";
import type { QuietPeriodKey } from "../../../app/grants/quiet-period.ts";
import type { ChannelAgents } from "../../channels/channel.ts";
import type { AgentReader, AgentWriter } from "../../storage/agent-store.ts";
import type { GrantStore } from "../../storage/grant-store.ts";
import { readHosts } from "../../tools/fetch/read-hosts.ts";
import { innermostRoot, isFolder } from "../../tools/files/paths/folder-preflight.ts";
import { pathPlatform } from "../../tools/files/paths/path-rules.ts";
import type { BreakingMarks } from "./breaking-marks.ts";
import type { IgnoredFolders } from "./ignored-folders.ts";
import { realFolder } from "./real-folder.ts";

export interface PermissionPorts {
  readonly agents: AgentReader & AgentWriter;
  readonly grants: Pick<GrantStore, "endQuietPeriod" | "quietPeriodsOf">;
  readonly breaking: Pick<BreakingMarks, "clear">;
  readonly ignored: Pick<IgnoredFolders, "add">;
  /** The agents of the channel an agent calls through. */
  readonly channelOf: (agent: KnownAgent) => Pick<ChannelAgents, "isNewest" | "tellGrants">;
  readonly live: Pick<LiveCalls, "end">;
  readonly changed: () => void;
}

/**
 * What the person grants and revokes. Revoking takes effect here at once; the agent's channel is told
 * afterwards.
 */
export class Permissions {
  readonly #ports: PermissionPorts;
  #told: Promise<void> = Promise.resolve();

  constructor(ports: PermissionPorts) {
    this.#ports = ports;
  }

  /** @throws BridgeError `not_found`, also for a scope that is neither declared nor granted */
  async revokeScope(agentId: string, scope: string): Promise<void> {
    const agent = this.#agent(agentId);
    const state = agent.grants.get(scope)?.state ?? "revoked";
    if (state === "revoked" && !declaredScopes(agent).includes(scope)) {
      throw bridgeError("not_found");
    }
    await this.#revoke(agent, [scope]);
  }

  async revokeAgent(agentId: string): Promise<void> {
    const agent = this.#agent(agentId);
    await this.#revoke(agent, [...agent.grants.keys()]);
  }

  async revokeAll(): Promise<void> {
    const agents = this.#ports.agents.list();
    await Promise.all(agents.map((agent) => this.#revoke(agent, [...agent.grants.keys()])));
  }

  /**
   * Grants exactly these scopes from now on; the manifest that was shown counts as reviewed.
   * @throws BridgeError `not_found`, `manifest_changed`, `not_offered`
   */
  async setScopes(agentId: string, shown: number, scopes: readonly string[]): Promise<void> {
    const agent = this.#agentAsShown(agentId, shown);
    const declared = declaredScopes(agent);
    if (scopes.some((scope) => !declared.includes(scope))) throw bridgeError("not_offered");
    const taken = [...agent.grants.keys()].filter((scope) => !scopes.includes(scope));
    const given = scopes.filter((scope) => agent.grants.get(scope)?.state !== "granted");
    await Promise.all([
      this.#revoke(agent, taken),
      this.#ports.agents.setGrants(
        agentId,
        given.map((scope) => ({ scope, state: "granted" })),
      ),
      // Synchronously: a manifest that arrives while the grants are being stored was not reviewed.
      this.#ports.agents.markReviewed(agentId),
      this.#ports.breaking.clear(agentId),
    ]);
    this.#tellChannel(agentId, shown);
    this.#ports.changed();
  }

  /** @throws BridgeError `not_found`, `manifest_changed` */
  async markReviewed(agentId: string, shown: number): Promise<void> {
    this.#agentAsShown(agentId, shown);
    const { agents, breaking, changed } = this.#ports;
    await Promise.all([agents.markReviewed(agentId), breaking.clear(agentId)]);
    changed();
  }

  async endQuietPeriod(key: QuietPeriodKey): Promise<void> {
    await this.#ports.grants.endQuietPeriod(key);
    this.#ports.changed();
  }

  /** @throws BridgeError as `rootFault` */
  async addRoot(agentId: string, typed: string, access: Root["access"]): Promise<void> {
    const { path, link } = await realFolder(typed);
    const { roots } = this.#agent(agentId);
    const narrows = access === "read" && isWritable(path, roots);
    const added = this.#ports.agents.addRoot(agentId, {
      ...termsOf(path, roots),
      path,
      access,
      ...(link && { link }),
    });
    // Tools that are writing there were allowed to when they started.
    if (narrows) this.#ports.live.end({ agent_id: agentId }, "scope_revoked");
    await added;
    this.#ports.changed();
  }

  /** @throws BridgeError `not_found` */
  async ignoreFolder(agentId: string, path: string): Promise<void> {
    await this.#ports.ignored.add(this.#agent(agentId).agent_id, path);
    this.#ports.changed();
  }

  async removeRoot(agentId: string, rootId: string): Promise<void> {
    const root = this.#ports.agents.agent(agentId)?.roots.find((each) => each.root_id === rootId);
    const quiet = this.#endQuiet(
      agentId,
      (subject) => "path" in subject && root !== undefined && isInFolder(root.path, subject.path),
    );
    const removed = this.#ports.agents.removeRoot(agentId, rootId);
    // Tools that are reading in the folder had it when they started.
    this.#ports.live.end({ agent_id: agentId }, "scope_revoked");
    await Promise.all([quiet, removed]);
    this.#ports.changed();
  }

  /** @throws BridgeError `not_found`, `host_unusable` */
  async addHost(agentId: string, typed: string): Promise<void> {
    this.#agent(agentId);
    const hosts = readHosts(typed);
    if (hosts.length === 0) throw bridgeError("host_unusable");
    await Promise.all(hosts.map((host) => this.#ports.agents.addHost(agentId, host)));
    this.#ports.changed();
  }

  async removeHost(agentId: string, host: NetworkHost): Promise<void> {
    const quiet = this.#endQuiet(
      agentId,
      (subject) => subject.kind === "host" && isSameHost(host, subject),
    );
    const removed = this.#ports.agents.removeHost(agentId, host);
    this.#ports.live.end({ agent_id: agentId }, "scope_revoked");
    await Promise.all([quiet, removed]);
    this.#ports.changed();
  }

  /** Ends quiet periods, so that a folder or host that is given again asks again. */
  async #endQuiet(agentId: string, concerns: (subject: CallSubject) => boolean): Promise<void> {
    const { grants } = this.#ports;
    const ended = grants.quietPeriodsOf(agentId).filter(({ subject }) => concerns(subject));
    await Promise.all(ended.map((period) => grants.endQuietPeriod(period)));
  }

  async #revoke(agent: KnownAgent, scopes: readonly string[]): Promise<void> {
    if (scopes.length === 0) return;
    const changes = scopes.map((scope) => ({ scope, state: "revoked" as const }));
    const stored = this.#ports.agents.setGrants(agent.agent_id, changes);
    const { agent_id } = agent;
    for (const scope of scopes) this.#ports.live.end({ agent_id, scope }, "scope_revoked");
    this.#ports.changed();
    this.#tellChannel(agent_id);
    await stored;
  }

  /** One after the other, each with the grants at that time, so that the last one is current. */
  #tellChannel(agentId: string, answered?: number): void {
    const { agents, channelOf } = this.#ports;
    this.#told = this.#told.then(async () => {
      const agent = agents.agent(agentId);
      if (agent !== undefined) await channelOf(agent).tellGrants(agent, answered);
    });
  }

  /** Consent is to what was shown: an answer to an older manifest does not count (contract §2, §7). */
  #agentAsShown(agentId: string, shown: number): KnownAgent {
    const agent = this.#agent(agentId);
    const isNewest = this.#ports.channelOf(agent).isNewest(agentId, shown);
    if (agent.manifest_version === shown && isNewest) return agent;
    this.#ports.changed();
    throw bridgeError("manifest_changed");
  }

  #agent(agentId: string): KnownAgent {
    const agent = this.#ports.agents.agent(agentId);
    if (agent === undefined) throw bridgeError("not_found");
    return agent;
  }
}

const PLATFORM = pathPlatform(process.platform);

const isWritable = (path: string, roots: readonly Root[]): boolean =>
  innermostRoot(path, roots, PLATFORM)?.access === "read_write";

/** A folder that is given again with other access ends when it would have. */
function termsOf(path: string, roots: readonly Root[]): Pick<Root, "ends_at" | "for_task"> {
  const { ends_at, for_task } = roots.find((root) => root.path === path && isFolder(root)) ?? {};
  return { ...(ends_at === undefined ? {} : { ends_at }), ...(for_task ? { for_task } : {}) };
}

const declaredScopes = ({ manifest }: KnownAgent): readonly string[] =>
  manifest.permission_scopes.map(({ id }) => id);
