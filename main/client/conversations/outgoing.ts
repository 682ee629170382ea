import type { Delivery } from "../../../app/protocol/link/outbox.ts";
import { encodeArtifactResponse } from "../../../app/protocol/v1/artifact-messages.ts";
import { TOOL_RESPONSE_SUBTYPE } from "../../../app/protocol/v1/tool-messages.ts";
import { encodeVoice, VOICE_SUBTYPE } from "../../../app/protocol/v1/voice-messages.ts";
import type { OwnMessage } from "../../channels/hub-channel.ts";
import type {
  ConversationStore,
  MessageContent,
  StoredItem,
  OwnMessage as StoredOwn,
} from "../../storage/index.ts";

export interface OutgoingPorts {
  readonly store: Pick<ConversationStore, "send" | "sent" | "refused" | "sending">;
  now(): number;
  readonly post: (message: OwnMessage, delivery: Delivery) => void;
  readonly changed: (item: StoredItem) => void;
  readonly report: (error: unknown) => void;
}

/** Stores what the person writes, then sends it to the hub, in the order it was written. */
export class Outgoing {
  readonly #ports: OutgoingPorts;
  /** Sent, but not answered. */
  readonly #posted = new Set<string>();

  constructor(ports: OutgoingPorts) {
    this.#ports = ports;
  }

  /** Sends what is stored and has not been sent yet. */
  resume(): void {
    for (const item of this.#ports.store.sending()) this.#post(item);
  }

  /** @throws StoreError */
  async send(
    conversation_id: string,
    client_message_id: string,
    content: StoredOwn["content"],
  ): Promise<StoredItem> {
    const { store } = this.#ports;
    const at = this.#ports.now();
    const item = await store.send({ conversation_id, client_message_id, at, content });
    this.#ports.changed(item);
    if (item.state === "sending") this.#post(item);
    return item;
  }

  #post({ conversation_id, client_message_id, content }: StoredItem): void {
    const encoded = encodeOwn(content);
    if (client_message_id === null || encoded === null) return;
    const key = JSON.stringify([conversation_id, client_message_id]);
    if (this.#posted.has(key)) return;
    this.#posted.add(key);
    const { store, post, changed, report } = this.#ports;
    const settled = (work: Promise<StoredItem | null>) => {
      this.#posted.delete(key);
      work.then(
        (item) => item !== null && changed(item),
        // Still stored as `sending`: it is sent again, and the hub keeps the first copy.
        report,
      );
    };
    post(
      { conversation_id, client_message_id, ...encoded },
      {
        acked: (receipt) => settled(store.sent(conversation_id, client_message_id, receipt)),
        refused: (code) => settled(store.refused(conversation_id, client_message_id, code)),
      },
    );
  }
}

type Encoded = Omit<OwnMessage, "conversation_id" | "client_message_id">;

/** What the hub gets of a message of the person's; null: nothing, it is none. */
function encodeOwn(content: StoredItem["content"]): Encoded | null {
  switch (content?.kind) {
    case "message":
      return { content_type: "text", payload: encodeText(content) };
    case "answer":
      return {
        content_type: "artifact",
        msg_subtype: TOOL_RESPONSE_SUBTYPE,
        payload: encodeArtifactResponse(content.response),
      };
    case "voice":
      if ("fault" in content.voice) return null;
      return {
        content_type: "artifact",
        msg_subtype: VOICE_SUBTYPE,
        payload: encodeVoice(content.voice),
      };
    default:
      return null;
  }
}

export function encodeText({ content, text }: Pick<MessageContent, "content" | "text">) {
  const markdown = content === "markdown" ? { markdown: true } : {};
  return new TextEncoder().encode(JSON.stringify({ type: "text", text, ...markdown }));
}
