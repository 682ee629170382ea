import type { JsonObject, JsonValue } from "../app/contract/json.ts";
import { Inbox } from "../app/protocol/link/inbox.ts";
import { type OutboundFrame, Outbox } from "../app/protocol/link/outbox.ts";
import { AgentError } from "./agent-error.ts";
import { type AgentLink, agentLink } from "./agent-link.ts";
import type { AgentOptions, CallToolOptions, PairOptions } from "./agent-options.ts";
import { ArtifactRevisions } from "./artifact-revisions.ts";
import { type AgentClock, realClock } from "./clock.ts";
import { artifactFrame, textFrame } from "./content.ts";
import { type Conversations, ownConversations } from "./conversations.ts";
import type { AgentStatus, EventHandler, MessageHandler, StatusHandler } from "./events.ts";
import { HandlerList, safeReport } from "./handler-list.ts";
import { MessageDelivery } from "./message-delivery.ts";
import type {
  ArtifactContent,
  ArtifactUpdate,
  MessageStream,
  SentMessage,
  TextContent,
} from "./outbound.ts";
import { OutboundStream } from "./outbound-stream.ts";
import { type AgentCredentials, requestPairing } from "./pairing.ts";
import { PairingError } from "./pairing-error.ts";
import { PendingCalls } from "./pending-calls.ts";
import { placeCall } from "./place-call.ts";
import { routeFrame } from "./route-frame.ts";
import { SendError } from "./send-error.ts";
import { fetchToolScopes, type ToolScopes, toolScopes } from "./tool-scopes.ts";
import { TypingSigns } from "./typing-signs.ts";
import { ulid } from "./ulid.ts";
import { findWebSocket, type WebSocketConstructor } from "./web-socket.ts";
import { WebhookError } from "./webhook-error.ts";
import { WebhookIntake } from "./webhook-intake.ts";
import type { WebhookHeaders } from "./webhook-signature.ts";

/** An agent connected to its hub. It reconnects by itself until `disconnect()`. */
export class HasheeAgent {
  readonly agentId: string;
  readonly conversations: Conversations;
  readonly #clock: AgentClock;
  readonly #connection: AgentLink;
  readonly #outbox = new Outbox((text) => this.#connection.send(text));
  readonly #pending: PendingCalls;
  readonly #delivery: MessageDelivery;
  readonly #statuses: HandlerList<[AgentStatus, AgentError?]>;
  readonly #typing: TypingSigns;
  readonly #revisions = new ArtifactRevisions();
  #intake: WebhookIntake | undefined;
  #toolScopes: ToolScopes = new Map();

  private constructor(options: AgentOptions, webSocket: WebSocketConstructor | null) {
    const { agentId, clock = realClock } = options;
    const report = safeReport(options.onHandlerError);
    this.agentId = agentId;
    this.#clock = clock;
    this.#pending = new PendingCalls(clock);
    this.#typing = new TypingSigns(clock, (frame) => this.#transmit(frame));
    this.#delivery = new MessageDelivery(agentId, this.#pending, report);
    this.conversations = ownConversations(options);
    this.#statuses = new HandlerList(report);
    const inbox = new Inbox({
      deliver: (frame) => this.#delivery.deliver(frame),
      received: (conversation_id, conversation_seq) => {
        this.#intake?.received(conversation_id, conversation_seq);
        this.#transmit({ type: "message.received", conversation_id, conversation_seq });
      },
    });
    const receivers = { inbox, outbox: this.#outbox, delivery: this.#delivery };
    this.#connection = agentLink(options, webSocket, {
      onFrame: (frame) => routeFrame(receivers, frame),
      onStatus: (status, cause) => this.#onStatus(status, cause),
    });
    if (options.webhookSecret === undefined) return;
    this.#intake = new WebhookIntake({
      secret: options.webhookSecret,
      now: () => clock.now(),
      inbox,
      event: (event) => this.#delivery.events.callNow(event),
    });
  }

  /**
   * Connects with known credentials; resolves when the hub has accepted them. A hub that cannot be
   * reached is tried again until `signal` aborts.
   * @throws AgentError `invalid_token`, `invalid_base_url`, `web_socket_missing`,
   *   `manifest_unavailable`, `aborted`
   */
  static async init(options: AgentOptions): Promise<HasheeAgent> {
    const isCalled = options.connectionMode === "webhook";
    const webSocket = isCalled ? null : (options.webSocket ?? (await findWebSocket()));
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

  /**
   * Changes an artifact that was sent before. The public documents do not show an update's wire form;
   * ours is an artifact of subtype `artifact_update`.
   * @throws SendError, also `revision_not_higher`
   */
  async updateArtifact(conversationId: string, update: ArtifactUpdate): Promise<SentMessage> {
    this.#revisions.advance(conversationId, update.ref_artifact, update.revision);
    const artifact = { subtype: "artifact_update", ...update };
    return this.sendArtifact(conversationId, { artifact });
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
      opened: (streamId, failed) => this.#delivery.streamOpened(streamId, failed),
    });
  }

  /** Shows that the agent is writing, until `stopTyping` or `disconnect`. */
  typing(conversationId: string): void {
    if (this.status !== "closed") this.#typing.show(conversationId);
  }

  /** Nothing happens where no sign is shown. */
  stopTyping(conversationId: string): void {
    this.#typing.hide(conversationId);
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

  /**
   * For a webhook agent: takes what the hub posted, once however often it comes, and gives it to the
   * handlers and to whoever waits for a call. Answer 2xx when it resolves. Add the handlers first.
   *
   * @param rawBody as it came, before any parser
   * @throws WebhookError `signature_invalid` (answer 401), `payload_not_json`, `payload_malformed`
   *   (400), `not_a_webhook_agent` (without `webhookSecret`)
   */
  async handleWebhook(headers: WebhookHeaders, rawBody: string | Uint8Array): Promise<void> {
    if (this.#intake === undefined) throw new WebhookError("not_a_webhook_agent");
    await this.#intake.take(headers, rawBody);
  }

  /** Closes for good: what is pending is rejected, and nothing keeps the process alive. */
  disconnect(): void {
    // While they can still be told: nobody is to be asked for an agent that has left.
    this.#pending.abortAll();
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
      this.#typing.clear();
      this.#outbox.refuseAll("disconnected");
    }
    void this.#statuses.call(status, cause);
    if (status !== "closed") return;
    this.#delivery.clear();
    this.#statuses.clear();
  }
}
