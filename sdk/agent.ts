import type { JsonObject, JsonValue } from "../app/contract/json.ts";
import { Connection } from "../app/protocol/link/connection.ts";
import { Inbox } from "../app/protocol/link/inbox.ts";
import { type OutboundFrame, Outbox } from "../app/protocol/link/outbox.ts";
import { AgentError } from "./agent-error.ts";
import type { AgentOptions, CallToolOptions, PairOptions } from "./agent-options.ts";
import { type AgentClock, realClock } from "./clock.ts";
import { artifactFrame, textFrame } from "./content.ts";
import type { AgentStatus, EventHandler, MessageHandler, StatusHandler } from "./events.ts";
import { HandlerList, safeReport } from "./handler-list.ts";
import { agentSocketUrl } from "./hub-request.ts";
import { MessageDelivery } from "./message-delivery.ts";
import type { ArtifactContent, MessageStream, SentMessage, TextContent } from "./outbound.ts";
import { OutboundStream } from "./outbound-stream.ts";
import { type AgentCredentials, requestPairing } from "./pairing.ts";
import { PairingError } from "./pairing-error.ts";
import { PendingCalls } from "./pending-calls.ts";
import { placeCall } from "./place-call.ts";
import { routeFrame } from "./route-frame.ts";
import { SendError } from "./send-error.ts";
import { fetchToolScopes, type ToolScopes, toolScopes } from "./tool-scopes.ts";
import { ulid } from "./ulid.ts";
import { findWebSocket, frameSocketOf, type WebSocketConstructor } from "./web-socket.ts";

/** An agent connected to its hub. It reconnects by itself until `disconnect()`. */
export class HasheeAgent {
  readonly agentId: string;
  readonly #clock: AgentClock;
  readonly #connection: Connection<AgentError>;
  readonly #outbox = new Outbox((text) => this.#connection.send(text));
  readonly #pending: PendingCalls;
  readonly #delivery: MessageDelivery;
  readonly #statuses: HandlerList<[AgentStatus, AgentError?]>;
  #toolScopes: ToolScopes = new Map();

  private constructor(options: AgentOptions, webSocket: WebSocketConstructor) {
    const { agentId, token, baseUrl, clock = realClock } = options;
    const url = agentSocketUrl(baseUrl, agentId);
    const report = safeReport(options.onHandlerError);
    this.agentId = agentId;
    this.#clock = clock;
    this.#pending = new PendingCalls(clock);
    this.#delivery = new MessageDelivery(this.#pending, report);
    this.#statuses = new HandlerList(report);
    const inbox = new Inbox({
      deliver: (frame) => this.#delivery.deliver(frame),
      received: (conversation_id, conversation_seq) =>
        this.#transmit({ type: "message.received", conversation_id, conversation_seq }),
    });
    const receivers = { inbox, outbox: this.#outbox, delivery: this.#delivery };
    this.#connection = new Connection({
      open: () => frameSocketOf(new webSocket(url)),
      authFrame: () => ({ type: "auth", agent_id: agentId, token }),
      tokenRefused: () => new AgentError("invalid_token"),
      clock,
      onFrame: (frame) => routeFrame(receivers, frame),
      onStatus: (status, cause) => this.#onStatus(status, cause),
    });
  }

  /**
   * Connects with known credentials; resolves when the hub has accepted them. A hub that cannot be
   * reached is tried again until `signal` aborts.
   * @throws AgentError `invalid_token`, `invalid_base_url`, `web_socket_missing`,
   *   `manifest_unavailable`, `aborted`
   */
  static async init(options: AgentOptions): Promise<HasheeAgent> {
    const webSocket = options.webSocket ?? (await findWebSocket());
    if (options.signal?.aborted) throw new AgentError("aborted");
    const agent = new HasheeAgent(options, webSocket);
    const stop = new AbortController();
    const onAbort = () => agent.#connection.close(new AgentError("aborted"));
    options.signal?.addEventListener("abort", onAbort, { once: true });
    try {
      await agent.#connect(stop);
      agent.#toolScopes = await agent.#scopesFor(options, stop.signal);
      return agent;
    } catch (error) {
      agent.disconnect();
      throw error;
    } finally {
      options.signal?.removeEventListener("abort", onAbort);
    }
  }

  /**
   * Asks a person to add this agent, shows the code through `onCode`, and connects when the person
   * has. Keep the credentials: `init` takes them the next time.
   * @throws PairingError; AgentError `invalid_base_url`, `web_socket_missing`
   */
  static async pair(
    options: PairOptions,
  ): Promise<{ agent: HasheeAgent; credentials: AgentCredentials }> {
    // Before the person is asked: an answer nothing can be done with is worse than no question.
    const webSocket = options.webSocket ?? (await findWebSocket());
    const { fetch = globalThis.fetch, clock = realClock, baseUrl } = options;
    const credentials = await requestPairing({ baseUrl, fetch, clock }, options);
    const { agentId, token } = credentials;
    try {
      return {
        agent: await HasheeAgent.init({ ...options, webSocket, agentId, token }),
        credentials,
      };
    } catch (error) {
      const aborted = error instanceof AgentError && error.code === "aborted";
      throw aborted ? new PairingError("aborted") : error;
    }
  }

  get status(): AgentStatus {
    return this.#connection.status;
  }

  /**
   * Has the person's client run a tool; resolves with its result.
   * @param args what the tool's `input_schema` describes
   * @throws ToolDeniedError, ToolFailedError, ToolTimeoutError, ToolAbortedError, ToolUnsentError,
   *   ToolResponseUnreadableError: all of them ToolCallErrors
   */
  callTool(
    conversationId: string,
    name: string,
    args: JsonObject,
    options: CallToolOptions = {},
  ): Promise<JsonValue> {
    return placeCall(
      {
        agentId: this.agentId,
        clock: this.#clock,
        outbox: this.#outbox,
        pending: this.#pending,
        closed: this.status === "closed",
        scope: this.#toolScopes.get(name),
      },
      { ...options, conversationId, name, args },
    );
  }

  /** Resolves when the hub has the message durably. @throws SendError */
  async send(conversationId: string, content: TextContent): Promise<SentMessage> {
    return this.#post(textFrame(conversationId, content, this.agentId));
  }

  /**
   * Sends an artifact as it is; a tool call may have the flat or the nested form, and its answer
   * comes to the event handlers.
   * @throws SendError
   */
  async sendArtifact(conversationId: string, content: ArtifactContent): Promise<SentMessage> {
    return this.#post(artifactFrame(conversationId, content, this.agentId));
  }

  /** Shows text while it is being written. @throws AgentError `disconnected` */
  stream(conversationId: string): MessageStream {
    if (this.status === "closed") throw new AgentError("disconnected");
    return new OutboundStream({
      conversationId,
      senderId: this.agentId,
      streamId: ulid(this.#clock.now()),
      transmit: (frame) => this.#transmit(frame),
      send: (content) => this.send(conversationId, content),
    });
  }

  /**
   * Handlers are called in the order they were added, and for each message without waiting for the
   * one before. The hub hears that a message was received when all promises they returned settled.
   * Messages that come before the first handler wait for it.
   */
  addMessageHandler(handler: MessageHandler, signal?: AbortSignal): void {
    this.#delivery.messages.add(handler, signal);
  }

  /**
   * Like messages, events wait for the first handler; only tool responses do not, because most
   * programs leave those to `callTool`.
   */
  addEventHandler(handler: EventHandler, signal?: AbortSignal): void {
    this.#delivery.events.add(handler, signal);
  }

  addStatusHandler(handler: StatusHandler, signal?: AbortSignal): void {
    this.#statuses.add(handler, signal);
  }

  /** Closes for good: what is pending is rejected, and nothing keeps the process alive. */
  disconnect(): void {
    this.#connection.close();
  }

  /** @param stop aborted when the connection closes */
  #connect(stop: AbortController): Promise<void> {
    return new Promise((resolve, reject) => {
      this.addStatusHandler((status, cause) => {
        if (status === "connected") resolve();
        if (status !== "closed") return;
        stop.abort();
        reject(cause ?? new AgentError("disconnected"));
      }, stop.signal);
      this.#connection.open();
    });
  }

  #scopesFor(options: AgentOptions, signal: AbortSignal): Promise<ToolScopes> | ToolScopes {
    const { manifest, fetch = globalThis.fetch, baseUrl, agentId, token } = options;
    if (manifest !== undefined) return toolScopes(manifest);
    return fetchToolScopes({ baseUrl, fetch, clock: this.#clock }, agentId, token, signal);
  }

  #post(frame: OutboundFrame): Promise<SentMessage> {
    if (this.status === "closed") return Promise.reject(new SendError("disconnected"));
    return new Promise((resolve, reject) => {
      this.#outbox.post(ulid(this.#clock.now()), frame, {
        acked: resolve,
        refused: (code, params) => reject(new SendError(code, params)),
      });
    });
  }

  #transmit(frame: object): void {
    this.#connection.send(JSON.stringify(frame));
  }

  #onStatus(status: AgentStatus, cause?: AgentError): void {
    if (status === "connected") this.#outbox.resendAll();
    if (status === "closed") {
      // Calls first: each takes its unsent message with it.
      this.#pending.abortAll();
      this.#outbox.refuseAll("disconnected");
    }
    void this.#statuses.call(status, cause);
    if (status !== "closed") return;
    this.#delivery.clear();
    this.#statuses.clear();
  }
}
