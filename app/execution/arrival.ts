import type { DecodedCall, ToolCall, ToolResponse } from "../contract/tool-call.ts";

/** A call as a channel passes it in, with what the channel knows about its arrival. */
export interface Arrival {
  readonly decoded: DecodedCall;
  readonly agent_id: string;
  readonly conversation_id: string;
  readonly conversation_type: "h2h" | "h2a" | "group";
  readonly transport: string;
  /**
   * The channel made the call's id for this one delivery, so nobody can ask with it again, and the
   * result need not be kept.
   */
  readonly isOnlyDelivery?: true;
  /**
   * Called with the response while its outcome is being recorded: the channel may prepare it, and
   * sends it only once `handleCall` has resolved to the same response.
   */
  readonly answering?: (response: ToolResponse) => void;
}

/** An arrival whose call could be read. */
export interface ReadableArrival extends Omit<Arrival, "decoded"> {
  readonly call: ToolCall;
  /** Milliseconds on the trusted clock. */
  readonly arrived_at: number;
}
