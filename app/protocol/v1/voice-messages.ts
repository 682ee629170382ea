import { fromBase64, toBase64 } from "../../contract/base64.ts";
import { isJsonObject, type JsonValue, ownValue } from "../../contract/json.ts";
import { LIMITS } from "../../contract/limits.ts";
import { type VoiceType, voiceTypeOf } from "../../contract/voice-type.ts";

/**
 * The wire's `msg_subtype` of a voice message, with the `content_type` `artifact`. By it the hub knows
 * what it cannot open.
 */
export const VOICE_SUBTYPE = "voice";

export interface Voice {
  readonly mime: VoiceType;
  /** As its sender measured it. */
  readonly duration_s: number;
  /** The recording, base64. */
  readonly data: string;
  /** What is said, where the sender knows it. */
  readonly transcript?: string;
}

/** Why a recording is not sent or played. */
export interface VoiceFault {
  readonly fault: "voice_malformed" | "voice_type_unknown" | "voice_too_long" | "voice_too_large";
}

/** What is sent of a recording. */
export function voiceOf(
  bytes: Uint8Array,
  duration_s: number,
  transcript?: string,
): Voice | VoiceFault {
  if (bytes.length > LIMITS.voiceBytes) return { fault: "voice_too_large" };
  if (!(duration_s >= 0)) return { fault: "voice_malformed" };
  if (duration_s > LIMITS.voiceMs / 1000) return { fault: "voice_too_long" };
  if ((transcript?.length ?? 0) > LIMITS.voiceTranscriptChars) return { fault: "voice_too_large" };
  const mime = voiceTypeOf(bytes);
  if (mime === undefined) return { fault: "voice_type_unknown" };
  const said = transcript === undefined ? {} : { transcript };
  return { mime, duration_s, data: toBase64(bytes), ...said };
}

export const encodeVoice = (voice: Voice): Uint8Array =>
  new TextEncoder().encode(JSON.stringify({ type: "audio", ...voice }));

/** `undefined`: this is no voice message. */
export function readVoice(payload: JsonValue): Voice | VoiceFault | undefined {
  if (!isJsonObject(payload) || ownValue(payload, "type") !== "audio") return undefined;
  const duration_s = ownValue(payload, "duration_s");
  const data = ownValue(payload, "data");
  const transcript = ownValue(payload, "transcript");
  const isSaid = transcript === undefined || typeof transcript === "string";
  if (typeof duration_s !== "number" || typeof data !== "string" || !isSaid) {
    return { fault: "voice_malformed" };
  }
  const bytes = fromBase64(data);
  if (bytes === undefined) return { fault: "voice_malformed" };
  const voice = voiceOf(bytes, duration_s, transcript);
  if ("fault" in voice || ownValue(payload, "mime") === voice.mime) return voice;
  return { fault: "voice_type_unknown" };
}
