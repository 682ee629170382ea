import { hostText, type NetworkHost } from "../../app/contract/network-host.ts";
import type { TrustedClock } from "../../app/execution/ports.ts";
import {
  type AllowedHost,
  type ChosenRoot,
  type Grant,
  type GrantState,
  isLasting,
  isOver,
  type KnownAgent,
  type Root,
} from "../../app/grants/grant.ts";
import type { AgentTable, ManifestUpdate } from "./agent-table.ts";
import type { StoredGrants } from "./grant-store.ts";
import type { GroupCommit } from "./group-commit.ts";
import { GuardedMap, WHOLE } from "./guarded-map.ts";
import {
  frozenAgent,
  narrowedTo,
  withGrants,
  withHost,
  withoutHost,
  withoutRoot,
  withRoot,
} from "./known-agent.ts";

export type AgentReader = Pick<StoredAgents, "agent" | "list" | "rootsOf">;

export interface GrantChange {
  readonly scope: string;
  readonly state: GrantState;
}

/**
 * Every promise resolves once durable. Readers see grants from then on; they see revocations at
 * once, even if those cannot be stored.
 *
 * All reject with StoreError: `store_unknown_agent`, `store_refused`, `store_unwritable`.
 */
export type AgentWriter = Pick<
  StoredAgents,
  | "accept"
  | "replaceManifest"
  | "setGrants"
  | "markReviewed"
  | "addRoot"
  | "removeRoot"
  | "endTasksOf"
  | "addHost"
  | "removeHost"
  | "remove"
>;

type Change = (agent: KnownAgent) => KnownAgent;

export class StoredAgents {
  readonly #table: AgentTable;
  readonly #book: StoredGrants;
  readonly #clock: TrustedClock;
  readonly #newId: () => string;
  readonly #agents: GuardedMap<KnownAgent>;

  /**
   * @param newId returns an id that was never used before
   * @throws StoreError `store_corrupt` with the table's name
   */
  constructor(
    group: GroupCommit,
    table: AgentTable,
    book: StoredGrants,
    clock: TrustedClock,
    newId: () => string,
  ) {
    this.#newId = newId;
    this.#table = table;
    this.#book = book;
    this.#clock = clock;
    const stored = table.readAll().map((agent) => [agent.agent_id, agent] as const);
    this.#agents = new GuardedMap(group, stored);
  }

  /** Without what lasts where the same is given for a time. */
  agent(agentId: string): KnownAgent | undefined {
    const known = this.#agents.get(agentId);
    return known && this.#asOfNow(known);
  }

  /** In the order they were added. */
  list(): readonly KnownAgent[] {
    return this.#agents.values().map((agent) => this.#asOfNow(agent));
  }

  /** All folders and files that are given and not over. */
  rootsOf(agentId: string): readonly Root[] {
    const now = this.#clock.now();
    return this.#agents.get(agentId)?.roots.filter((root) => !isOver(root, now)) ?? [];
  }

  /** A new agent, or a known one accepted again with different grants. */
  async accept(agent: KnownAgent): Promise<void> {
    const next = frozenAgent(agent);
    const id = next.agent_id;
    // Earlier grants that are not included this time are revoked before the write.
    const narrowed = this.#take(
      id,
      WHOLE,
      (known) => narrowedTo(known, next),
      () => undefined,
    );
    const write = () => this.#table.replace(next);
    await Promise.all([
      narrowed,
      this.#agents.give({ key: id, topic: WHOLE, widen: () => next, write }),
    ]);
  }

  /** The reviewed manifest does not change: "changed since you reviewed it" (contract §7). */
  async replaceManifest(agentId: string, update: ManifestUpdate): Promise<void> {
    const { manifest, manifest_version, manifest_hash } = update;
    await this.#give(
      agentId,
      "manifest",
      (agent) => frozenAgent({ ...agent, manifest, manifest_version, manifest_hash }),
      () => this.#table.putManifest(agentId, update),
    );
  }

  /** Ends the quiet periods of revoked scopes too (contract §3). */
  async setGrants(agentId: string, changes: readonly GrantChange[]): Promise<void> {
    const changed_at = this.#clock.now();
    await Promise.all(
      changes.map(({ scope, state }) => {
        const grant: Grant = Object.freeze({ scope, state, changed_at });
        const change: Change = (agent) => withGrants(agent, [grant]);
        const write = () => this.#table.putGrant(agentId, grant);
        if (state === "granted") return this.#give(agentId, `grant ${scope}`, change, write);
        return Promise.all([
          this.#take(agentId, `grant ${scope}`, change, write),
          this.#book.endQuietPeriodsOfScope(agentId, scope),
        ]);
      }),
    );
  }

  async markReviewed(agentId: string): Promise<void> {
    await this.#give(
      agentId,
      "reviewed",
      (agent) =>
        frozenAgent({
          ...agent,
          reviewed_manifest: agent.manifest,
          reviewed_hash: agent.manifest_hash,
        }),
      () => this.#table.markReviewed(agentId),
    );
  }

  /**
   * A folder that is chosen again keeps its id and gets the newly chosen access. What was given until
   * it is removed is there again when what was chosen for a time has ended.
   */
  async addRoot(agentId: string, chosen: ChosenRoot): Promise<Root> {
    const { path, access } = chosen;
    const stored = this.#agents.get(agentId)?.roots ?? [];
    const isKept = (root: Root) => !isLasting(chosen) && isLasting(root);
    const known = stored.find((root) => root.path === path && !isKept(root));
    const root_id = known?.root_id ?? this.#newId();
    const now = this.#clock.now();
    const root: Root = Object.freeze({ ...chosen, root_id, added_at: now });
    const isReplaced = (other: Root) =>
      isOver(other, now) || (other.path === path && !isKept(other));
    const replaced = stored.filter((other) => other !== known && isReplaced(other));
    const change = (agent: KnownAgent) => withRoot(agent, root);
    const write = () => this.#table.putRoot(agentId, root);
    // Removing write access takes effect at once, like every revocation.
    await (known?.access === "read_write" && access === "read"
      ? this.#take(agentId, `root ${root_id}`, change, write)
      : this.#give(agentId, `root ${root_id}`, change, write));
    await this.#removeRoots(agentId, replaced);
    return root;
  }

  /** Ends what was given for a task. */
  async endTasksOf(agentId: string): Promise<void> {
    const ended = this.#agents.get(agentId)?.roots.filter(({ for_task }) => for_task) ?? [];
    await this.#removeRoots(agentId, ended);
  }

  /** Within a write: what was given for a task of the last session is over. */
  dropTasks(): void {
    this.#table.dropTasks();
  }

  /** With all else that is given at its path. */
  async removeRoot(agentId: string, rootId: string): Promise<void> {
    const stored = this.#agents.get(agentId)?.roots ?? [];
    const path = stored.find(({ root_id }) => root_id === rootId)?.path;
    await this.#removeRoots(
      agentId,
      stored.filter((root) => root.path === path),
    );
  }

  async #removeRoots(agentId: string, roots: readonly Root[]): Promise<void> {
    const removed = roots.map(({ root_id }) =>
      this.#take(
        agentId,
        `root ${root_id}`,
        (agent) => withoutRoot(agent, root_id),
        () => this.#table.dropRoot(agentId, root_id),
      ),
    );
    await Promise.all(removed);
  }

  async addHost(agentId: string, { host, port }: NetworkHost): Promise<void> {
    const allowed: AllowedHost = Object.freeze({ host, port, added_at: this.#clock.now() });
    await this.#give(
      agentId,
      `host ${hostText(allowed)}`,
      (agent) => withHost(agent, allowed),
      () => this.#table.putHost(agentId, allowed),
    );
  }

  async removeHost(agentId: string, host: NetworkHost): Promise<void> {
    await this.#take(
      agentId,
      `host ${hostText(host)}`,
      (agent) => withoutHost(agent, host),
      () => this.#table.dropHost(agentId, host),
    );
  }

  /** Removes its grants, roots, hosts, quiet periods and rules too; its calls stay in the log. */
  async remove(agentId: string): Promise<void> {
    await Promise.all([
      this.#take(
        agentId,
        "agent",
        () => undefined,
        () => this.#table.drop(agentId),
      ),
      this.#book.forget(agentId),
    ]);
  }

  #asOfNow(agent: KnownAgent): KnownAgent {
    if (agent.roots.every(isLasting)) return agent;
    const open = this.rootsOf(agent.agent_id);
    const passing = new Set(open.filter((root) => !isLasting(root)).map(({ path }) => path));
    return {
      ...agent,
      roots: open.filter((root) => !isLasting(root) || !passing.has(root.path)),
    };
  }

  #give(
    agentId: string,
    topic: string,
    change: (agent: KnownAgent) => KnownAgent,
    write: () => void,
  ): Promise<void> {
    const widen = (agent: KnownAgent | undefined) =>
      agent === undefined ? undefined : change(agent);
    return this.#agents.give({ key: agentId, topic, widen, write });
  }

  #take(
    agentId: string,
    topic: string,
    change: (agent: KnownAgent) => KnownAgent | undefined,
    write: () => void,
  ): Promise<void> {
    const narrow = (agent: KnownAgent | undefined) =>
      agent === undefined ? undefined : change(agent);
    const concerns = (key: string) => key === agentId;
    return this.#agents.take({ concerns, topic, narrow, write });
  }
}
