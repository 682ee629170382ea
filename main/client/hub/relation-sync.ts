import { assertNever } from "../../../app/contract/assert-never.ts";
import type { LiveCalls } from "../../../app/execution/live-calls.ts";
import type { TrustedClock } from "../../../app/execution/ports.ts";
import { type GrantState, isHubAgent, type KnownAgent } from "../../../app/grants/grant.ts";
import type { RelationFrame } from "../../../app/protocol/v1/frames.ts";
import type { AgentView, RelationView } from "../../../app/protocol/v1/rest.ts";
import type { AgentStatus } from "../../channels/channel.ts";
import type { HubRest } from "../../channels/hub-rest.ts";
import type { AgentReader, AgentWriter } from "../../storage/agent-store.ts";
import type { AgentNaming } from "../agents/agent-naming.ts";
import type { BreakingMarks } from "../agents/breaking-marks.ts";
import type { Suspensions } from "../agents/suspensions.ts";
import type { Notices } from "../notices.ts";
import type { ProgramEvents } from "../program-events.ts";
import type { AgentStates } from "./presence.ts";
import {
  acceptedAgent,
  HandledNotices,
  type ReauthNotice,
  type Related,
  servedManifest,
  tellGrants,
} from "./relation-facts.ts";

export interface RelationSyncPorts {
  readonly rest: Pick<HubRest, "relations" | "agent" | "setGrantedScopes" | "setSuspended">;
  readonly agents: AgentReader & AgentWriter;
  readonly clock: TrustedClock;
  readonly statuses: AgentStates;
  readonly suspensions: Pick<Suspensions, "has">;
  readonly breaking: Pick<BreakingMarks, "add" | "clear">;
  readonly live: Pick<LiveCalls, "end">;
  readonly naming: Pick<AgentNaming, "label">;
  readonly notices: Pick<Notices, "about" | "keep">;
  readonly events: ProgramEvents;
  report(error: unknown): void;
}

/**
 * Keeps the client's own copy of relations and manifests up to date with the hub (contract §7). The
 * client's grants are authoritative: the hub is told about them, and can only revoke.
 */
export class RelationSync {
  readonly #ports: RelationSyncPorts;
  /** Work under way that may still make an unknown agent known. */
  #underWay: Promise<unknown> = Promise.resolve();
  #reconciling: Promise<unknown> = Promise.resolve();
  /** The latest fetch of each agent's manifest, while it is under way. */
  readonly #refreshing = new Map<string, Promise<unknown>>();
  /** The newest announced manifest version of each agent, stored or not. */
  readonly #newest = new Map<string, number>();
  readonly #notices = new HandledNotices();
  /** How many frames about relations have come. */
  #heard = 0;
  /** Agents whose acceptance is being stored. */
  readonly #adopting = new Set<string>();

  constructor(ports: RelationSyncPorts) {
    this.#ports = ports;
    ports.events.on("changed", (names) => {
      if (names.includes("agents.changed")) this.#followCauses();
    });
  }

  /** A notice goes once its agent is there again, or the person has answered. */
  #followCauses(): void {
    const { agents, notices, statuses } = this.#ports;
    const isGone = (agentId: string): boolean => statuses.of(agentId).relation === "revoked";
    const isAnswered = (agentId: string): boolean =>
      [...(agents.agent(agentId)?.grants.values() ?? [])].some(
        ({ state }) => state !== "awaiting_reconsent",
      );
    notices.keep("agents_lost", isGone);
    notices.keep("agents_found", (agentId) => !isGone(agentId) && !isAnswered(agentId));
  }

  /** Resolves when nothing is under way that could still make an agent known. */
  settled(): Promise<unknown> {
    return this.#underWay;
  }

  /**
   * Resolves when nothing is under way that could still make this agent known or change its manifest:
   * its call may have overtaken what the hub sent before.
   */
  async settledFor(agentId: string): Promise<void> {
    await this.#reconciling;
    await this.#refreshing.get(agentId);
    if (this.#ports.agents.agent(agentId) === undefined) await this.#underWay;
  }

  /** Counts `work` as under way. */
  while<T>(work: Promise<T>): Promise<T> {
    this.#underWay = Promise.allSettled([this.#underWay, work]);
    return work;
  }

  /** After a connect: handles what changed while there was no connection. */
  reconcile(): void {
    this.#reconciling = this.#inBackground(this.#reconcile());
  }

  manifestChanged(agentId: string, version: number): void {
    this.#heardOf(agentId, version);
    this.#refreshInBackground(agentId, this.#refreshManifest(agentId));
  }

  /** At another hub, versions are counted anew. */
  forget(): void {
    this.#newest.clear();
  }

  /** Whether this is the newest announced manifest of the agent. */
  isNewest(agentId: string, version: number): boolean {
    return version >= (this.#newest.get(agentId) ?? 0);
  }

  /**
   * True once the hub may forget the notice: the scopes it names are durably not granted, and its
   * manifest is stored, so that no answer can be to the previous one. Never rejects.
   */
  reauthRequired(notice: ReauthNotice): Promise<boolean> {
    const { agent_id, new_manifest_version } = notice;
    return this.#notices.once(notice, async () => {
      this.#heardOf(agent_id, new_manifest_version);
      const handled = this.#requireReauth(notice);
      this.#refreshInBackground(agent_id, handled);
      return handled.catch(() => false);
    });
  }

  async #requireReauth({
    agent_id,
    new_manifest_version,
    ...notice
  }: ReauthNotice): Promise<boolean> {
    const { agents, breaking } = this.#ports;
    // An agent the person just added may still be being stored.
    if (agents.agent(agent_id) === undefined) await this.#underWay;
    // An agent that is still unknown has no grants, and gets none without asking.
    const known = agents.agent(agent_id);
    if (known === undefined) return true;
    const named = new Set(notice.scopes_requiring_reauth);
    // The hub may not have heard yet of what was granted here, or is just being stored.
    const changed = new Set([...named, ...notice.breaking_changes.map(({ scope }) => scope)]);
    const changes = [...changed].map((scope) => {
      const isAsked =
        named.has(scope) || (known.grants.get(scope)?.state ?? "revoked") !== "revoked";
      return { scope, state: isAsked ? ("awaiting_reconsent" as const) : ("revoked" as const) };
    });
    // From here on the scopes count as not granted, even if the rest fails.
    const stored = agents.setGrants(agent_id, changes);
    this.#manifestChanged(agent_id);
    await Promise.all([stored, breaking.add(agent_id, notice.breaking_changes)]);
    await this.#refreshManifest(agent_id);
    return (agents.agent(agent_id)?.manifest_version ?? 0) >= new_manifest_version;
  }

  relation({ type, payload }: RelationFrame): void {
    const { statuses } = this.#ports;
    const { agent_id, connection_mode } = payload;
    this.#heard += 1;
    statuses.set(agent_id, { delivery: connection_mode });
    switch (type) {
      case "relation.suspended":
        this.#setStatus(agent_id, { relation: "suspended" });
        break;
      case "relation.established":
      case "relation.restored":
        statuses.set(agent_id, { relation: "active" });
        this.#takeIn(payload);
        break;
      case "relation.revoked": {
        statuses.set(agent_id, { relation: "revoked" });
        const known = this.#ports.agents.agent(agent_id);
        if (known !== undefined) void this.#inBackground(this.#end(known));
        break;
      }
      case "relation.updated":
        break;
      default:
        assertNever(type);
    }
  }

  /**
   * An agent that another program of the person's has added. The person may be adding it here at this
   * moment, so that answer comes first.
   */
  #takeIn(relation: RelationFrame["payload"]): void {
    if (this.#ports.agents.agent(relation.agent_id) !== undefined) return;
    const before = this.#underWay;
    void this.#inBackground(before.then(() => this.#recover(relation)));
  }

  /** Suspending an agent's relation ends its waiting and running calls. */
  #setStatus(agentId: string, status: Partial<AgentStatus>): void {
    const { statuses, agents } = this.#ports;
    const before = statuses.of(agentId).relation;
    statuses.set(agentId, status);
    const isSuspended = status.relation === "suspended" && before !== "suspended";
    if (isSuspended && agents.agent(agentId) !== undefined) this.#ended(agentId);
  }

  /** An answer may be older than the frame that suspended the agent, so it lifts no suspension. */
  #answered(relation: Related): void {
    const { statuses } = this.#ports;
    const { delivery, ...answered } = statusIn(relation);
    const isSuspended = statuses.of(relation.agent_id).relation === "suspended";
    statuses.set(relation.agent_id, isSuspended ? { delivery } : { delivery, ...answered });
  }

  #ended(agentId: string): void {
    this.#ports.live.end({ agent_id: agentId }, "scope_revoked");
    this.#ports.events.changed("agents.changed");
  }

  /** What was shown under the old manifest no longer counts. */
  #manifestChanged(agentId: string): void {
    this.#ports.live.end({ agent_id: agentId }, "manifest_changed");
    // What a conversation offers follows the manifest's flags.
    this.#ports.events.changed("agents.changed", "conversations.changed");
  }

  /** A relation the person just made: exactly these scopes are granted. */
  async adopt(relation: RelationView, agent: AgentView, scopes: readonly string[]): Promise<void> {
    const { agent_id } = relation;
    this.#adopting.add(agent_id);
    try {
      await this.#accept(relation, agent, (scope) => (scopes.includes(scope) ? "granted" : null));
      // What the hub announced while the agent was unknown could not be fetched then.
      if (!this.isNewest(agent_id, agent.capability_manifest_version)) {
        this.#refreshInBackground(agent_id, this.#refreshManifest(agent_id));
      }
    } finally {
      this.#adopting.delete(agent_id);
    }
  }

  #heardOf(agentId: string, version: number): void {
    this.#newest.set(agentId, Math.max(version, this.#newest.get(agentId) ?? 0));
  }

  #refreshInBackground(agentId: string, work: Promise<unknown>): void {
    const refresh = this.#inBackground(work);
    this.#refreshing.set(agentId, refresh);
    void refresh.then(() => {
      if (this.#refreshing.get(agentId) === refresh) this.#refreshing.delete(agentId);
    });
  }

  #inBackground(work: Promise<unknown>): Promise<unknown> {
    return this.while(this.#reported(work));
  }

  #reported(work: Promise<unknown>): Promise<unknown> {
    return work.catch((error: unknown) => this.#ports.report(error));
  }

  async #reconcile(): Promise<void> {
    const { rest, agents, naming, notices } = this.#ports;
    const heard = this.#heard;
    // An agent that is added from here on cannot be in the hub's answer.
    const before = agents.list().filter(isHubAgent);
    const relations = await rest.relations();
    // The answer may be older than what came meanwhile.
    if (heard !== this.#heard) return this.#reconcile();
    const related = new Set(relations.map(({ agent_id }) => agent_id));
    const orphans = before.filter(({ agent_id }) => !related.has(agent_id));
    // A failure for one agent must not affect the others.
    const lost = orphans.filter(({ grants }) =>
      [...grants.values()].some(({ state }) => state !== "revoked"),
    );
    for (const { agent_id, name } of lost) {
      notices.about("agents_lost", agent_id, { name: naming.label(agent_id) ?? name });
    }
    for (const { agent_id } of orphans) this.#ports.statuses.set(agent_id, { relation: "revoked" });
    await Promise.all([
      ...orphans.map((orphan) => this.#reported(this.#end(orphan))),
      ...relations.map((relation) => this.#reported(this.#reconcileOne(relation))),
    ]);
  }

  async #reconcileOne(relation: RelationView): Promise<void> {
    const known = this.#ports.agents.agent(relation.agent_id);
    this.#setStatus(relation.agent_id, statusIn(relation));
    if (known === undefined) {
      if (relation.status !== "revoked") await this.#recover(relation);
    } else if (relation.status === "revoked") await this.#end(known);
    else await this.#align(known.agent_id, relation);
  }

  /**
   * The hub knows an agent that we do not (another program added it, or our store was lost): nothing is
   * granted until the person does.
   */
  async #recover(relation: Related): Promise<void> {
    const { rest, agents, naming, notices, events } = this.#ports;
    const { agent_id } = relation;
    const isSettled = () => this.#adopting.has(agent_id) || agents.agent(agent_id) !== undefined;
    if (isSettled()) return;
    const agent = await rest.agent(agent_id);
    // The person has answered in the meantime, and that answer counts.
    if (isSettled()) return;
    await this.#accept(relation, agent, (scope) =>
      relation.granted_scopes.includes(scope) ? "awaiting_reconsent" : null,
    );
    notices.about("agents_found", agent_id, { name: naming.label(agent_id) ?? agent.name });
    events.changed("agents.changed", "conversations.changed", "consents.changed");
  }

  async #align(agentId: string, relation: RelationView): Promise<void> {
    const { rest, suspensions } = this.#ports;
    await this.#refreshManifest(agentId);
    const now = this.#ports.agents.agent(agentId);
    if (now === undefined || !isHubAgent(now)) return;
    await tellGrants(rest, now, relation);
    // The hub could not be told when the person suspended it.
    if (relation.status === "active" && suspensions.has(agentId)) {
      await rest.setSuspended(relation.relation_id, true);
    }
  }

  async #end({ agent_id, grants }: KnownAgent): Promise<void> {
    const changes = [...grants.values()]
      .filter(({ state }) => state !== "revoked")
      .map(({ scope }) => ({ scope, state: "revoked" as const }));
    const stored = this.#ports.agents.setGrants(agent_id, changes);
    this.#ended(agent_id);
    await stored;
  }

  async #refreshManifest(agentId: string): Promise<void> {
    const { rest, agents } = this.#ports;
    const known = agents.agent(agentId);
    if (known === undefined) return;
    const view = await rest.agent(agentId);
    if (view.capability_manifest_version === known.manifest_version) return;
    const { manifest, hash } = servedManifest(view);
    this.#heardOf(agentId, view.capability_manifest_version);
    await agents.replaceManifest(agentId, {
      manifest,
      manifest_version: view.capability_manifest_version,
      manifest_hash: hash,
    });
    if (hash !== known.manifest_hash) this.#manifestChanged(agentId);
    else this.#ports.events.changed("agents.changed");
  }

  async #accept(
    relation: Related,
    agent: AgentView,
    stateOf: (scope: string) => GrantState | null,
  ): Promise<void> {
    const { agents, breaking, clock } = this.#ports;
    const accepted = acceptedAgent(relation, agent, stateOf, clock.now());
    this.#answered(relation);
    const { hosts = [] } = agents.agent(relation.agent_id) ?? {};
    await Promise.all([
      agents.accept({ ...accepted, roots: agents.rootsOf(relation.agent_id), hosts }),
      breaking.clear(relation.agent_id),
    ]);
  }
}

const statusIn = ({ status, connection_mode }: Related): AgentStatus => ({
  relation: status,
  delivery: connection_mode,
});
