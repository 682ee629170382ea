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
import type { AgentLimits } from "../limits/agent-limits.ts";

export interface LimitedAdmission extends Admission {
  /** The message could not be kept after all. */
  takeBack(): void;
}

/**
 * What may refuse a message: limits, for agents only, and the rule about voice messages. `undefined`:
 * nothing. Calls and voice messages are recognized by their subtypes alone, because the hub does not
 * open envelopes.
 */
export function admissionOf(
  limits: AgentLimits,
  fullHistories: FullHistories,
  message: NewMessage,
): LimitedAdmission | undefined {
  const limited = limitedAdmission(limits, fullHistories, message);
  if (message.msg_subtype !== VOICE_SUBTYPE) return limited;
  return {
    bytes: limited?.bytes ?? 0,
    take: (recipients, manifests) =>
      voiceRefusal(message, manifests()) ?? limited?.take(recipients, manifests),
    takeBack: () => limited?.takeBack(),
  };
}

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

/** Only agents are limited (contract §8): in tool calls, and in bytes of any kind. */
function limitedAdmission(
  { toolCalls, sent }: AgentLimits,
  fullHistories: FullHistories,
  message: NewMessage,
): LimitedAdmission | undefined {
  const { sender_id, sender_type, client_message_id: id, payload, msg_subtype } = message;
  if (sender_type !== "agent") return undefined;
  const bytes = payload.length + LIMITS.messageOverheadBytes;
  const isCall = msg_subtype === TOOL_CALL_SUBTYPE;
  return {
    bytes,
    take(recipients) {
      if (isKept(message) && fullHistories.isFull(recipients, sender_id)) {
        return { refused: "HISTORY_FULL" };
      }
      const ofCalls = isCall ? toolCalls.mustWait(sender_id, id) : undefined;
      const retryAfterMs = ofCalls ?? sent.mustWait(sender_id, id, bytes);
      if (retryAfterMs !== undefined) return { refused: "RATE_LIMITED", retryAfterMs };
      if (isCall) toolCalls.count(sender_id, id);
      sent.count(sender_id, id, bytes);
      return undefined;
    },
    takeBack() {
      for (const limit of [toolCalls, sent]) limit.takeBack(sender_id, id);
    },
  };
}

/** Messages for the ends alone are in no history; one that claims to be such is never shown. */
const UNKEPT: readonly (string | null)[] = [
  TOOL_CALL_SUBTYPE,
  TOOL_CANCEL_SUBTYPE,
  TOOL_RESPONSE_SUBTYPE,
  ENCRYPTION_SESSION_SUBTYPE,
];
const isKept = ({ msg_subtype }: NewMessage): boolean => !UNKEPT.includes(msg_subtype);

/**
 * The agents whose messages a person's client no longer stores, as it reports. In memory only: the
 * client repeats this after each connect, and earlier messages wait within their own limit.
 */
export class FullHistories {
  readonly #full = new Map<string, Set<string>>();

  set(personId: string, agentId: string, isFull: boolean): void {
    const full = this.#full.get(personId) ?? new Set();
    this.#full.set(personId, full);
    if (isFull) full.add(agentId);
    else full.delete(agentId);
  }

  /** Nobody could report meanwhile that there is room again. */
  forget(personId: string): void {
    this.#full.delete(personId);
  }

  /** For any of these members. */
  isFull(memberIds: readonly string[], agentId: string): boolean {
    return memberIds.some((id) => this.#full.get(id)?.has(agentId));
  }
}
