import { isJsonObject, ownValue } from "../app/contract/json.ts";
import { Connection, type LinkStatus, reconnectDelayMs } from "../app/protocol/link/connection.ts";
import { frameSocketOf } from "../app/protocol/link/web-socket.ts";
import type { MessageSendFrame, ServerFrame } from "../app/protocol/v1/frames.ts";
import { AgentError, type AgentErrorCode } from "./errors.ts";
import { agentSocketUrl, askHub, type HubAnswer, hubUrl } from "./hub-client.ts";
import {
  type AgentClock,
  type AgentOptions,
  realClock,
  type WebSocketConstructor,
} from "./options.ts";

/** An agent's connection to its hub. */
export interface AgentLink {
  readonly status: LinkStatus;
  open(): void;
  /** @returns false, with nothing sent, while there is no connection */
  send(text: string): boolean;
  /** Closes for good. */
  close(cause?: AgentError<AgentErrorCode>): void;
  /** Connects to where the agent's hub is now. */
  renew?(): void;
}

interface LinkListeners {
  onFrame(frame: ServerFrame): void;
  onStatus(status: LinkStatus, cause?: AgentError<AgentErrorCode>): void;
}

/**
 * @param webSocket `null` for a webhook agent
 * @throws AgentError `invalid_base_url`
 */
export function agentLink(
  options: AgentOptions,
  webSocket: WebSocketConstructor | null,
  listeners: LinkListeners,
): AgentLink {
  const { agentId, clock = realClock } = options;
  if (webSocket === null) {
    hubUrl(options.baseUrl, "");
    return new RestLink({ ...listeners, clock, post: (...of) => postMessage(options, ...of) });
  }
  // The hub may move, so it is asked for each time; what the program gave has to hold at once.
  const url = () => agentSocketUrl(options.baseUrl, agentId);
  url();
  return new Connection({
    ...listeners,
    clock,
    open: () => frameSocketOf(new webSocket(url())),
    authFrame: () => ({ type: "auth", agent_id: agentId, token: options.token }),
    refused: (reason) => new AgentError(reason),
  });
}

function postMessage(
  { token, baseUrl, fetch = globalThis.fetch, clock = realClock }: AgentOptions,
  { type: _, conversation_id, ...body }: MessageSendFrame,
  signal: AbortSignal,
): Promise<HubAnswer> {
  const path = `/conversations/${encodeURIComponent(conversation_id)}/messages`;
  const ports = { baseUrl, fetch, clock };
  return askHub(ports, { method: "POST", path, token, body, signal });
}

interface RestLinkPorts {
  readonly clock: AgentClock;
  /** Posts a message to its conversation. */
  post(frame: MessageSendFrame, signal: AbortSignal): Promise<HubAnswer>;
  onFrame(frame: ServerFrame): void;
  onStatus(status: LinkStatus, cause?: AgentError<AgentErrorCode>): void;
}

/**
 * Sends a webhook agent's messages one after the other, in order, each until the hub has answered.
 * The hub's answers are turned into the frames that a WebSocket would have received.
 */
class RestLink {
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
  close(cause?: AgentError<AgentErrorCode>): void {
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

  #become(status: LinkStatus, cause?: AgentError<AgentErrorCode>): void {
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

/** Not a literal at the `import`, so that no bundler takes the optional package in. */
const FALLBACK_PACKAGE: string = "ws";

/**
 * The runtime's own WebSocket, or the `ws` package's where the runtime has none (Node 20).
 * @throws AgentError `web_socket_missing`
 */
export async function findWebSocket(): Promise<WebSocketConstructor> {
  if (typeof globalThis.WebSocket === "function") return globalThis.WebSocket;
  try {
    const module: { readonly WebSocket: WebSocketConstructor } = await import(FALLBACK_PACKAGE);
    return module.WebSocket;
  } catch {
    throw new AgentError("web_socket_missing");
  }
}
