import type { DecodedCall, ToolCall, ToolResponse } from "../contract/tool-call.ts";

/** A call as a channel hands it in, with what the channel knows about how it came. */
export interface Arrival {
  readonly decoded: DecodedCall;
  readonly agent_id: string;
  readonly conversation_id: string;
  readonly conversation_type: "h2h" | "h2a" | "group";
  readonly transport: string;
  /**
   * Told of the response while its outcome is being recorded: the channel may make it ready, and
   * sends it only once `handleCall` has resolved to that very response.
   */
  readonly answering?: (response: ToolResponse) => void;
}

/** An arrival whose call could be read. */
export interface ReadableArrival extends Omit<Arrival, "decoded"> {
  readonly call: ToolCall;
  /** Milliseconds on the trusted clock. */
  readonly arrived_at: number;
}
