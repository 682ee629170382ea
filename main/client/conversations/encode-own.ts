import { encodeArtifactResponse } from "../../../app/protocol/v1/artifact-messages.ts";
import { TOOL_RESPONSE_SUBTYPE } from "../../../app/protocol/v1/tool-messages.ts";
import { encodeVoice, VOICE_SUBTYPE } from "../../../app/protocol/v1/voice-messages.ts";
import type { OwnMessage } from "../../channels/hub-channel.ts";
import type { MessageContent, StoredItem } from "../../storage/index.ts";

type Encoded = Omit<OwnMessage, "conversation_id" | "client_message_id">;

/** What the hub gets of a message of the person's; null: nothing, it is none. */
export function encodeOwn(content: StoredItem["content"]): Encoded | null {
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
