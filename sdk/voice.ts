import { fromBase64 } from "../app/contract/base64.ts";
import { readVoice } from "../app/protocol/v1/voice-messages.ts";
import type { InboundMessage } from "./events.ts";
import type { VoiceContent } from "./outbound.ts";

/** A voice message that arrived. */
export interface ReceivedVoice extends VoiceContent {
  /** By its bytes, whatever its sender calls it. The audio is Opus. */
  readonly mime: "audio/webm" | "audio/ogg";
}

/**
 * The voice message in a message. `undefined`: it has none, or one that is too large, too long or of
 * another type. Not more than the beginning of the recording is looked at: treat the rest as foreign.
 */
export function voiceIn({ payload }: Pick<InboundMessage, "payload">): ReceivedVoice | undefined {
  const voice = readVoice(payload);
  if (voice === undefined || "fault" in voice) return undefined;
  const { data, ...about } = voice;
  const bytes = fromBase64(data);
  return bytes && { ...about, data: bytes };
}
