import { isJsonObject, ownValue } from "../app/contract/json.ts";
import type { LinkStatus } from "../app/protocol/link/connection.ts";
import { reconnectDelayMs } from "../app/protocol/link/reconnect-delay.ts";
import type { MessageSendFrame, ServerFrame } from "../app/protocol/v1/frames.ts";
import type { AgentError } from "./agent-error.ts";
import type { AgentClock } from "./clock.ts";
import type { HubAnswer } from "./hub-request.ts";

export interface RestLinkPorts {
  readonly clock: AgentClock;
  /** Posts a message to its conversation. */
  post(frame: MessageSendFrame, signal: AbortSignal): Promise<HubAnswer>;
  onFrame(frame: ServerFrame): void;
  onStatus(status: LinkStatus, cause?: AgentError): void;
}

/**
 * Sends a webhook agent's messages one after the other, in order, each until the hub has answered.
 * The hub's answers are turned into the frames that a WebSocket would have received.
 */
export class RestLink {
  readonly #ports: RestLinkPorts;
  readonly #end = new AbortController();
  readonly #queue: MessageSendFrame[] = [];
  #status: LinkStatus = "connecting";
  #isSending = false;
  #failures = 0;
  #cancelTimer: () => void = () => {};

  constructor(ports: RestLinkPorts) {
    this.#ports = ports;
  }

  get status(): LinkStatus {
    return this.#status;
  }

  open(): void {
    this.#become("connected");
  }

  /** Frames other than messages exist on connections only. @returns whether it was accepted */
  send(text: string): boolean {
    if (this.#status === "closed") return false;
    // The agent wrote it a moment ago.
    const frame = JSON.parse(text) as { readonly type: string };
    if (frame.type !== "message.send") return false;
    this.#queue.push(frame as MessageSendFrame);
    void this.#sendNext();
    return true;
  }

  /** Sends each waiting message once more, without waiting for the answers. */
  close(cause?: AgentError): void {
    if (this.#status === "closed") return;
    const left = this.#failures === 0 ? this.#queue.slice(this.#isSending ? 1 : 0) : [];
    this.#cancelTimer();
    this.#become("closed", cause);
    for (const frame of left) void this.#ports.post(frame, this.#end.signal);
  }

  async #sendNext(): Promise<void> {
    const [frame] = this.#queue;
    if (this.#isSending || frame === undefined) return;
    this.#isSending = true;
    const answer = await this.#ports.post(frame, this.#end.signal);
    if (this.#status === "closed") return;
    this.#isSending = false;
    if (answer.kind === "unreachable") {
      this.#later();
      return;
    }
    this.#failures = 0;
    this.#queue.shift();
    this.#ports.onFrame(answerFrame(frame, answer));
    void this.#sendNext();
  }

  #later(): void {
    this.#isSending = true;
    const delay = reconnectDelayMs(this.#failures, this.#ports.clock.random());
    this.#failures += 1;
    this.#cancelTimer = this.#ports.clock.after(delay, () => {
      this.#isSending = false;
      void this.#sendNext();
    });
  }

  #become(status: LinkStatus, cause?: AgentError): void {
    this.#status = status;
    this.#ports.onStatus(status, cause);
  }
}

function answerFrame(
  { client_message_id, conversation_id }: MessageSendFrame,
  answer: Exclude<HubAnswer, { kind: "unreachable" }>,
): ServerFrame {
  if (answer.kind === "refused") {
    const { code, params } = answer;
    const error = { code, message: "", i18n_key: "", params: { ...params } };
    return { type: "message.refused", client_message_id, error };
  }
  const data = isJsonObject(answer.data) ? answer.data : {};
  return {
    type: "message.ack",
    client_message_id,
    conversation_id,
    message_id: String(ownValue(data, "message_id")),
    conversation_seq: Number(ownValue(data, "conversation_seq")),
  };
}
