import { type BridgeErrorCode, bridgeError } from "../../../app/bridge/client-bridge.ts";
import { isVisibleName } from "../../../app/contract/visible-name.ts";
import { type GroupRest, HubRestError } from "../../channels/hub-rest.ts";

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
    const code = error instanceof HubRestError ? error.code : "";
    throw bridgeError(REFUSALS.get(code) ?? "hub_unreachable");
  });
}
