import { canonicalJson } from "../../app/contract/digest.ts";
import type { NetworkHost } from "../../app/contract/network-host.ts";
import type { GrantBook } from "../../app/execution/ports.ts";
import type { ChosenRoot, Root } from "../../app/grants/grant.ts";
import {
  type SilenceWindow,
  type WindowKey,
  type WindowPlace,
  windowEndsAt,
} from "../../app/grants/silence-window.ts";
import type { StandingRule } from "../../app/grants/standing-rule.ts";
import type { GrantTable } from "./grant-table.ts";
import type { GroupCommit } from "./group-commit.ts";
import { GuardedMap } from "./guarded-map.ts";

/** What the Permissions page lists and revokes, beyond what execution needs. */
export interface GrantStore extends GrantBook {
  windowsOf(agentId: string): readonly SilenceWindow[];
  rulesOf(agentId: string): readonly StandingRule[];
  closeWindow(key: WindowKey): Promise<void>;
  voidWindows(agentId: string): Promise<void>;
  removeRule(agentId: string, toolName: string): Promise<void>;
}

type PlacesGiver = Pick<GrantBook, "addRoot" | "addHost">;

/**
 * Quiet periods allow more, so they take effect once durable, and their end at once. A standing
 * "always deny" allows less: it takes effect at once, and its removal once durable.
 */
export class StoredGrants implements GrantStore {
  readonly #give: PlacesGiver;
  readonly #group: GroupCommit;
  readonly #table: GrantTable;
  readonly #windows: GuardedMap<SilenceWindow>;
  readonly #rules: GuardedMap<StandingRule>;

  /**
   * @param give stores folders and hosts where the agents themselves are kept
   * @throws StoreError `store_corrupt` with the table's name
   */
  constructor(group: GroupCommit, table: GrantTable, give: PlacesGiver) {
    this.#give = give;
    this.#group = group;
    this.#table = table;
    const windows = table.readWindows().map((window) => [windowKey(window), window] as const);
    const rules = table.readRules().map((rule) => [ruleKey(rule), rule] as const);
    this.#windows = new GuardedMap(group, windows);
    this.#rules = new GuardedMap(group, rules);
  }

  windows({ agent_id, conversation_id, scope }: WindowPlace): readonly SilenceWindow[] {
    return this.windowsOf(agent_id).filter(
      (window) => window.conversation_id === conversation_id && window.scope === scope,
    );
  }

  windowsOf(agentId: string): readonly SilenceWindow[] {
    return this.#windows.values().filter(({ agent_id }) => agent_id === agentId);
  }

  /** Deletes the agent's quiet periods that are over: there may be one for each folder. */
  async openWindow(window: SilenceWindow): Promise<void> {
    const opened = Object.freeze({ ...window });
    const key = windowKey(window);
    const over = this.windowsOf(window.agent_id).filter(
      (other) => windowEndsAt(other) <= window.opened_at && windowKey(other) !== key,
    );
    await Promise.all([
      this.#windows.give({
        key,
        topic: "window",
        widen: () => opened,
        write: () => this.#table.putWindow(opened),
      }),
      ...over.map((other) => this.closeWindow(other)),
    ]);
  }

  touchWindow(key: WindowKey, now: number): void {
    this.#windows.amend(windowKey(key), (window) =>
      Object.freeze({ ...window, last_used_at: Math.max(window.last_used_at, now) }),
    );
    // Of several touches, the latest time is stored, whatever their order.
    const latest = this.#windows.get(windowKey(key));
    if (latest === undefined) return;
    this.#group.ride(windowKey(key), () => this.#table.touchWindow(latest));
  }

  async closeWindow(key: WindowKey): Promise<void> {
    const closed = windowKey(key);
    await this.#endWindows(
      (other) => other === closed,
      () => this.#table.dropWindow(key),
    );
  }

  async voidWindows(agentId: string): Promise<void> {
    await this.#endWindows(
      (key) => partsOf(key)[0] === agentId,
      () => this.#table.dropWindows(agentId),
    );
  }

  /** A scope was revoked: its quiet periods end in every conversation (contract §3). */
  async voidScope(agentId: string, scope: string): Promise<void> {
    await this.#endWindows(
      (key) => partsOf(key)[0] === agentId && partsOf(key)[1] === scope,
      () => this.#table.dropScope(agentId, scope),
    );
  }

  rule(agentId: string, toolName: string): StandingRule | undefined {
    return this.#rules.get(ruleKey({ agent_id: agentId, tool_name: toolName }));
  }

  rulesOf(agentId: string): readonly StandingRule[] {
    return this.#rules.values().filter(({ agent_id }) => agent_id === agentId);
  }

  async addRule(rule: StandingRule): Promise<void> {
    const added = Object.freeze({ ...rule });
    const key = ruleKey(rule);
    await this.#rules.take({
      key,
      concerns: (other) => other === key,
      topic: "rule",
      narrow: (known) => known ?? added,
      write: () => this.#table.putRule(added),
    });
  }

  async removeRule(agentId: string, toolName: string): Promise<void> {
    await this.#rules.give({
      key: ruleKey({ agent_id: agentId, tool_name: toolName }),
      topic: "rule",
      widen: () => undefined,
      write: () => this.#table.dropRule(agentId, toolName),
    });
  }

  addRoot(agentId: string, chosen: ChosenRoot): Promise<Root> {
    return this.#give.addRoot(agentId, chosen);
  }

  addHost(agentId: string, host: NetworkHost): Promise<void> {
    return this.#give.addHost(agentId, host);
  }

  /** The agent was removed: ends its quiet periods at once, its rules once that is stored. */
  async forget(agentId: string): Promise<void> {
    const rules = this.rulesOf(agentId).map(({ tool_name }) => this.removeRule(agentId, tool_name));
    const rest = this.#group.enqueue(() => this.#table.dropRules(agentId));
    await Promise.all([this.voidWindows(agentId), ...rules, rest]);
  }

  #endWindows(concerns: (key: string) => boolean, write: () => void): Promise<void> {
    return this.#windows.take({ concerns, topic: "window", narrow: () => undefined, write });
  }
}

const windowKey = ({ agent_id, scope, conversation_id, subject }: WindowKey): string =>
  [agent_id, scope, conversation_id, canonicalJson(subject)].join("\u0000");

const ruleKey = ({ agent_id, tool_name }: Pick<StandingRule, "agent_id" | "tool_name">): string =>
  [agent_id, tool_name].join("\u0000");

const partsOf = (key: string): readonly string[] => key.split("\u0000");
