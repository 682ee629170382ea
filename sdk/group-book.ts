import type { GroupUpdatedFrame } from "../app/protocol/v1/frames.ts";
import type { GroupMetadata } from "./events.ts";

/** The latest state of each of the agent's groups; the hub sends it before any of their messages. */
export class GroupBook {
  readonly #agentId: string;
  readonly #groups = new Map<string, GroupMetadata>();

  constructor(agentId: string) {
    this.#agentId = agentId;
  }

  note({ payload }: GroupUpdatedFrame): void {
    const { conversation_id, change, member_ids, title, owner_id, member_count } = payload;
    const isOut =
      change === "ended" || (change === "members_removed" && member_ids.includes(this.#agentId));
    if (isOut) this.#groups.delete(conversation_id);
    else
      this.#groups.set(conversation_id, {
        group_id: conversation_id,
        title,
        owner_id,
        member_count,
      });
  }

  of(conversationId: string): GroupMetadata | undefined {
    return this.#groups.get(conversationId);
  }
}
