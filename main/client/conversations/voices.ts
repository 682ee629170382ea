import type { CallArgs, CallResult } from "../../../app/bridge/calls.ts";
import { bridgeError } from "../../../app/bridge/client-bridge.ts";
import type { ConversationView } from "../../../app/bridge/conversation-views.ts";
import { fromBase64 } from "../../../app/contract/base64.ts";
import { LIMITS } from "../../../app/contract/limits.ts";
import { voiceOf } from "../../../app/protocol/v1/voice-messages.ts";
import type { ConversationStore, StoredItem, VoiceContent } from "../../storage/index.ts";
import type { Microphone } from "../host-port.ts";
import { numberOf } from "./item-views.ts";

export interface VoicePorts {
  readonly store: Pick<ConversationStore, "item">;
  readonly userId: string;
  /** Undefined: the host leaves it to the browser. */
  readonly microphone: Microphone | undefined;
  /** @throws BridgeError `not_found` */
  view(conversationId: string): Pick<ConversationView, "offers">;
  /** Stores and sends it. @throws StoreError */
  send(conversationId: string, clientMessageId: string, content: VoiceContent): Promise<StoredItem>;
}

/** The voice messages of the person, and those they listen to. */
export class Voices {
  readonly #ports: VoicePorts;

  constructor(ports: VoicePorts) {
    this.#ports = ports;
  }

  /**
   * The person begins to record, or ends it. No window gets the microphone but between the two.
   * @throws BridgeError `not_found`, `not_offered`
   */
  record({ conversation_id, on }: CallArgs<"conversations.record">): void {
    const { microphone } = this.#ports;
    if (!on) {
      microphone?.close();
      return;
    }
    this.#offered(conversation_id);
    microphone?.open(LIMITS.voiceMs);
  }

  /** @throws BridgeError `not_found`, `not_offered`, `invalid_arguments`; StoreError */
  async send(args: CallArgs<"conversations.send_voice">): Promise<StoredItem> {
    const { conversation_id, client_message_id, duration_s, data } = args;
    this.#offered(conversation_id);
    const voice = voiceOf(fromBase64(data) ?? new Uint8Array(), duration_s);
    if ("fault" in voice) throw bridgeError("invalid_arguments");
    const content = { kind: "voice", sender_id: this.#ports.userId, voice } as const;
    return this.#ports.send(conversation_id, client_message_id, content);
  }

  /** @throws BridgeError `not_found` */
  recording(args: CallArgs<"conversations.voice">): CallResult<"conversations.voice"> {
    const { conversation_id, item_id } = args;
    const content = this.#ports.store.item(conversation_id, numberOf(item_id))?.content;
    if (content?.kind !== "voice" || "fault" in content.voice) throw bridgeError("not_found");
    const { mime, data } = content.voice;
    return { mime, data };
  }

  #offered(conversationId: string): void {
    if (!this.#ports.view(conversationId).offers.voice) throw bridgeError("not_offered");
  }
}
