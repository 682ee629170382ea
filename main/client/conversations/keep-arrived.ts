import type { ArrivedMessage } from "../../channels/arrived-messages.ts";
import type { ConversationStore, StoredItem } from "../../storage/index.ts";
import { readContent } from "./read-content.ts";

export interface KeepingPorts {
  readonly store: Pick<ConversationStore, "receive" | "reopen" | "revise">;
  /** Whether the conversation is with one of the person's agents. */
  readonly isWithAgent: boolean;
  /** Whether this sender's voice messages are played. */
  readonly takesVoice: (senderId: string) => boolean;
  /** Milliseconds on the trusted clock. */
  readonly now: number;
  readonly shown: (item: StoredItem) => void;
  /** Asks for changes that an artifact lacks; false: it must be tried again. */
  readonly fill: (item: StoredItem) => Promise<boolean>;
  readonly report: (error: unknown) => void;
}

/**
 * Stores a message before the hub is told that it may erase it. False: it could not be stored and must
 * be delivered again. Never rejects.
 */
export async function keepArrived(
  { store, isWithAgent, takesVoice, now, shown, fill, report }: KeepingPorts,
  message: ArrivedMessage,
): Promise<boolean> {
  const { conversation_id, conversation_seq, message_id, sender_id, payload } = message;
  const sent = Date.parse(message.created_at);
  try {
    // A conversation whose agent was removed gets messages again when the agent is back.
    if (isWithAgent) await store.reopen(conversation_id);
    const content = readContent(payload, sender_id);
    if (content.kind === "update") {
      // Without its artifact, which the person has deleted, there is nothing to change.
      const revised = await store.revise(
        conversation_id,
        sender_id,
        content.artifactId,
        content.change,
      );
      if (revised === null) return true;
      shown(revised);
      return await fill(revised);
    }
    const item = await store.receive({
      conversation_id,
      seq: conversation_seq,
      message_id,
      // A wrong clock elsewhere must not put a message into the future.
      at: Number.isFinite(sent) ? Math.min(sent, now) : now,
      content:
        content.kind === "voice" && !takesVoice(sender_id)
          ? { ...content, voice: { fault: "voice_unsupported" } }
          : content,
    });
    if (item !== null) shown(item);
    return true;
  } catch (error) {
    report(error);
    return false;
  }
}
