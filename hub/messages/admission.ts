import { LIMITS } from "../../app/contract/limits.ts";
import { type Manifest, takesVoice } from "../../app/contract/manifest.ts";
import { ENCRYPTION_SESSION_SUBTYPE } from "../../app/protocol/v1/message-sealing.ts";
import {
  TOOL_CALL_SUBTYPE,
  TOOL_CANCEL_SUBTYPE,
  TOOL_RESPONSE_SUBTYPE,
} from "../../app/protocol/v1/tool-messages.ts";
import { VOICE_SUBTYPE } from "../../app/protocol/v1/voice-messages.ts";
import type { Admission, NewMessage, NotKept } from "../hub-records.ts";

/**
 * What a message counts for, and the rule about voice messages. Calls and voice messages are recognized
 * by their subtypes alone, because the hub does not open envelopes. Only agents are limited (contract §8).
 */
export const admissionOf = (message: NewMessage): Admission => ({
  bytes: message.sender_type === "agent" ? message.payload.length + LIMITS.messageOverheadBytes : 0,
  isCall: message.msg_subtype === TOOL_CALL_SUBTYPE,
  isInHistory: !NOT_IN_HISTORY.includes(message.msg_subtype),
  refusal:
    message.msg_subtype === VOICE_SUBTYPE ? (manifests) => voiceRefusal(message, manifests) : null,
});

/** contract §14: everybody in the conversation gets it, so every agent has to take voice messages. */
function voiceRefusal(
  { payload }: NewMessage,
  manifests: readonly Manifest[],
): NotKept | undefined {
  if (!manifests.every(takesVoice)) return { refused: "VOICE_UNSUPPORTED" };
  const isTooLarge = payload.length > base64Chars(LIMITS.voiceEnvelopeBytes);
  return isTooLarge ? { refused: "VOICE_TOO_LARGE" } : undefined;
}

const base64Chars = (bytes: number): number => Math.ceil(bytes / 3) * 4;

/** Messages for the ends alone are in no history; one that claims to be such is never shown. */
const NOT_IN_HISTORY: readonly (string | null)[] = [
  TOOL_CALL_SUBTYPE,
  TOOL_CANCEL_SUBTYPE,
  TOOL_RESPONSE_SUBTYPE,
  ENCRYPTION_SESSION_SUBTYPE,
];
