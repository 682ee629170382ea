import { type BridgeErrorCode, bridgeError } from "../../../app/bridge/client-bridge.ts";
import { joinsGroups } from "../../../app/contract/manifest.ts";
import { isVisibleName } from "../../../app/contract/visible-name.ts";
import type { ConversationView as HubConversation } from "../../../app/protocol/v1/answers.ts";
import { type ConversationRest, type GroupRest, hubRestError } from "../../channels/hub-rest.ts";
import type { About, ConversationStore, NoteContent } from "../../storage/index.ts";
import type { HubAgentReader } from "../agents/known-agents.ts";

export interface GroupPorts {
  readonly rest: Pick<ConversationRest, "conversations" | "conversation">;
  readonly store: Pick<ConversationStore, "describe" | "state">;
  readonly agents: Pick<HubAgentReader, "agent">;
  /** Resolves when nothing is under way that could change the agent's manifest. */
  readonly settledFor: (agentId: string) => Promise<void>;
  readonly note: (conversationId: string, note: NoteContent) => Promise<void>;
  readonly changed: () => void;
  readonly report: (error: unknown) => void;
}

/** The person's groups, as the hub has them; after a change they are fetched again. */
export class Groups {
  readonly #ports: GroupPorts;
  readonly #groups = new Map<string, HubConversation>();
  #looking: Promise<void> = Promise.resolve();

  constructor(ports: GroupPorts) {
    this.#ports = ports;
  }

  list(): readonly HubConversation[] {
    return [...this.#groups.values()];
  }

  /** After a connect. */
  reload(): void {
    this.#look(async () => {
      const all = await this.#ports.rest.conversations();
      const ids = all.filter(({ type }) => type === "group").map((each) => each.conversation_id);
      for (const known of this.#groups.keys()) if (!ids.includes(known)) this.#groups.delete(known);
      for (const id of ids) await this.#load(id);
    });
  }

  /** If the person was removed from it, the hub no longer shows it. */
  updated(conversationId: string): void {
    this.#look(() => this.#load(conversationId));
  }

  /** Resolves once the change is known here. */
  async refreshed(conversationId: string): Promise<void> {
    this.updated(conversationId);
    await this.#looking;
  }

  /** Resolves when no request is pending. */
  settled(): Promise<void> {
    return this.#looking;
  }

  async #load(conversationId: string): Promise<void> {
    const group = await this.#ports.rest.conversation(conversationId).catch((error: unknown) => {
      if (isGone(error)) return null;
      throw error;
    });
    if (group === null) {
      this.#groups.delete(conversationId);
      return;
    }
    this.#groups.set(conversationId, group);
    const { store, report } = this.#ports;
    const before = store.state(conversationId).about?.agent_ids ?? [];
    const about = aboutGroup(group);
    await store.describe(conversationId, about);
    const gone = before.filter((id) => !about.agent_ids.includes(id));
    for (const id of gone) void this.#noteLeft(conversationId, id).catch(report);
  }

  /** Only a manifest takes an agent out of a group unasked (contract §5). */
  async #noteLeft(conversationId: string, agentId: string): Promise<void> {
    const { agents, settledFor, note } = this.#ports;
    await settledFor(agentId);
    const agent = agents.agent(agentId);
    if (agent === undefined || joinsGroups(agent.manifest)) return;
    await note(conversationId, {
      kind: "note",
      code: "left_group",
      agent_id: agentId,
      agent_name: agent.name,
      agent_version: agent.manifest.agent_version,
      manifest_version: agent.manifest_version,
      changes: 0,
      breaking: 0,
      error_code: null,
    });
  }

  #look(work: () => Promise<void>): void {
    this.#looking = this.#looking.then(work).then(this.#ports.changed, this.#ports.report);
  }
}

const isGone = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "NOT_FOUND";

const aboutGroup = ({ title, members }: HubConversation): About => ({
  kind: "group",
  title,
  agent_ids: members.filter((one) => one.member_type === "agent").map((one) => one.member_id),
});

/** What the person does with groups. The hub decides; afterwards the group is fetched again. */
export class GroupActions {
  readonly #rest: GroupRest;
  readonly #userId: string;
  readonly #changed: (conversationId: string) => Promise<void>;

  constructor(rest: GroupRest, userId: string, changed: (conversationId: string) => Promise<void>) {
    this.#rest = rest;
    this.#userId = userId;
    this.#changed = changed;
  }

  async create(
    title: string | null,
    agentIds: readonly string[],
  ): Promise<{ readonly conversation_id: string }> {
    const { conversation_id } = await asked(this.#rest.createGroup(visible(title), agentIds));
    await this.#changed(conversation_id);
    return { conversation_id };
  }

  async rename(conversationId: string, title: string | null): Promise<void> {
    await asked(this.#rest.renameGroup(conversationId, visible(title)));
    await this.#changed(conversationId);
  }

  async add(conversationId: string, agentIds: readonly string[]): Promise<void> {
    await asked(this.#rest.addMembers(conversationId, agentIds));
    await this.#changed(conversationId);
  }

  async remove(conversationId: string, memberId: string): Promise<void> {
    await asked(this.#rest.removeMember(conversationId, memberId));
    await this.#changed(conversationId);
  }

  leave(conversationId: string): Promise<void> {
    return this.remove(conversationId, this.#userId);
  }
}

function visible(title: string | null): string | null {
  if (title === null) return null;
  if (!isVisibleName(title)) throw bridgeError("nothing_visible");
  return title.trim();
}

const REFUSALS: ReadonlyMap<string, BridgeErrorCode> = new Map([
  ["NOT_FOUND", "not_found"],
  ["NOT_A_GROUP", "not_found"],
  ["FORBIDDEN", "not_offered"],
  ["NOT_RELATED", "not_related"],
  ["GROUPS_UNSUPPORTED", "groups_unsupported"],
  ["GROUP_FULL", "group_full"],
]);

function asked<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    const code = hubRestError.is(error) ? error.code : "";
    throw bridgeError(REFUSALS.get(code) ?? "hub_unreachable");
  });
}
