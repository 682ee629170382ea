import { LIMITS } from "../../app/contract/limits.ts";
import { ENCRYPTION_SESSION_SUBTYPE } from "../../app/protocol/v1/message-sealing.ts";
import { TOOL_CANCEL_SUBTYPE } from "../../app/protocol/v1/tool-cancel.ts";
import { TOOL_CALL_SUBTYPE, TOOL_RESPONSE_SUBTYPE } from "../../app/protocol/v1/tool-messages.ts";
import type { HubParts } from "../hub-parts.ts";
import type { AgentLimits } from "../limits/agent-limits.ts";
import type { Admission, NewMessage } from "../storage/message-store.ts";

/**
 * Only agents are limited (contract §8): in tool calls, and in bytes of whatever kind. The subtype
 * tells a call, and only what bears it is ever taken for one: the hub does not open envelopes.
 */
export function admission(
  { limits, fullHistories }: Pick<HubParts, "limits" | "fullHistories">,
  message: NewMessage,
  recipients: readonly string[],
): Admission | undefined {
  const { sender_id, sender_type, client_message_id: id, payload } = message;
  if (sender_type !== "agent") return undefined;
  const bytes = payload.length + LIMITS.messageOverheadBytes;
  return {
    bytes,
    refusal() {
      if (isKept(message) && fullHistories.isFull(recipients, sender_id)) {
        return { refused: "HISTORY_FULL" };
      }
      const retryAfterMs = isCall(message)
        ? (limits.toolCalls.mustWait(sender_id, id) ?? limits.sent.mustWait(sender_id, id, bytes))
        : limits.sent.mustWait(sender_id, id, bytes);
      return retryAfterMs === undefined ? undefined : { refused: "RATE_LIMITED", retryAfterMs };
    },
    count() {
      if (isCall(message)) limits.toolCalls.count(sender_id, id);
      limits.sent.count(sender_id, id, bytes);
    },
  };
}

/** The message could not be kept after all. */
export function takeBack(limits: AgentLimits, { sender_id, client_message_id }: NewMessage): void {
  for (const limit of [limits.toolCalls, limits.sent]) limit.takeBack(sender_id, client_message_id);
}

const isCall = ({ msg_subtype }: NewMessage): boolean => msg_subtype === TOOL_CALL_SUBTYPE;

/** What is between the ends alone is in no history; what calls itself so is never shown. */
const UNKEPT: readonly (string | null)[] = [
  TOOL_CALL_SUBTYPE,
  TOOL_CANCEL_SUBTYPE,
  TOOL_RESPONSE_SUBTYPE,
  ENCRYPTION_SESSION_SUBTYPE,
];
const isKept = ({ msg_subtype }: NewMessage): boolean => !UNKEPT.includes(msg_subtype);
