import { randomUUID } from "node:crypto";
import type { JsonObject } from "../../../app/contract/json.ts";
import { manifestTool } from "../../../app/contract/manifest.ts";
import type { DecodedCall, ToolResponse } from "../../../app/contract/tool-call.ts";
import type { Arrival } from "../../../app/execution/ports.ts";
import { decodeToolCall, encodeToolCall } from "../../../app/protocol/v1/tool-messages.ts";
import type { CallIntake, ChannelHost } from "../channel.ts";

/** A local agent's call, under way in the chain. */
export interface StartedCall {
  readonly call_id: string;
  /** Null: the program is closing, and nothing was decided. */
  readonly answer: Promise<ToolResponse | null>;
}

/** Read like a call from the hub: one strict, frozen value, or a malformed one that is logged. */
export function decodeLocalCall(
  { agents }: Pick<ChannelHost, "agents">,
  { agent_id }: LocalAgent,
  tool_name: string,
  args: JsonObject,
): DecodedCall {
  const manifest = agents.agent(agent_id)?.manifest;
  const declared = manifest && manifestTool(manifest, tool_name);
  const call_id = randomUUID();
  const permission_scope = declared?.permission_scope ?? "none";
  const encoded = encodeToolCall({ call_id, tool_name, arguments: args, permission_scope });
  return decodeToolCall(encoded, call_id);
}

/** Hands the call to the chain. */
export function startLocalCall(
  intake: CallIntake,
  { agent_id, session }: LocalAgent,
  decoded: DecodedCall,
  more: Pick<Arrival, "environment" | "prompt" | "watched" | "dialog_after"> = {},
): StartedCall {
  const answer = intake.handle({
    decoded,
    agent_id,
    conversation_id: session,
    conversation_type: "h2a",
    isOnlyDelivery: true,
    ...more,
  });
  const { call_id } = decoded.kind === "call" ? decoded.call : decoded.malformed;
  return { call_id, answer };
}

const NAME = "TimeoutError";

/** Why a question is given up that nobody has answered in the time there is; like `AbortSignal.timeout`. */
export const timeIsUp = (): DOMException => new DOMException("Time is up.", NAME);

export const isTimeUp = ({ reason }: AbortSignal): boolean =>
  reason instanceof DOMException && reason.name === NAME;

/** The authenticated caller. */
export interface LocalAgent {
  readonly agent_id: string;
  /** Its calls of one session are one conversation to the person. */
  readonly session: string;
}
