import { readArtifact } from "../app/contract/artifacts/artifact.ts";
import type { JsonObject } from "../app/contract/json.ts";
import type { Manifest } from "../app/contract/manifest.ts";
import { updateArtifactOf } from "../app/protocol/v1/artifact-messages.ts";
import { AgentEngine } from "./agent-engine.ts";
import type {
  ArtifactContent,
  ArtifactUpdate,
  MessageStream,
  SentMessage,
  TextContent,
  VoiceContent,
} from "./content.ts";
import { type Conversations, ownConversations } from "./conversations.ts";
import { CredentialsStore } from "./credentials.ts";
import type { OpenedMail, SafetyNumber } from "./encryption/encryption-events.ts";
import type { MetPerson } from "./encryption/members.ts";
import { openMail } from "./encryption/open-mail.ts";
import { AgentError } from "./errors.ts";
import {
  type AgentStatus,
  type ArtifactResponseHandler,
  type EventHandler,
  isToolResponse,
  type MessageHandler,
  type StatusHandler,
} from "./events.ts";
import type { HubPorts } from "./hub-client.ts";
import { findWebSocket } from "./link.ts";
import {
  type ManifestUpdate,
  scopesFor,
  type ToolScopes,
  toolScopes,
  updateManifest,
} from "./manifest.ts";
import { artifactMessage, asRead, textMessage, ulid, voiceMessage } from "./message-codec.ts";
import {
  type AgentOptions,
  type CallToolOptions,
  CONNECT_TIMEOUT_DEFAULT_MS,
  type PairOptions,
  realClock,
  type WebSocketConstructor,
} from "./options.ts";
import { OutboundStream } from "./outbound-stream.ts";
import { checkRequest, type Paired, requestPairing } from "./pairing.ts";
import { placeCall } from "./tool-calls.ts";
import type { ToolArguments, ToolResult } from "./tool-types.ts";
import { receiveAt } from "./webhook-intake.ts";
import type { WireMessage } from "./webhook-payload.ts";
import type { WebhookHeaders } from "./webhook-signature.ts";

/** Content for a conversation, by default the agent's own with the person. */
type Within<Content> = [content: Content] | [conversationId: string, content: Content];

/** An agent connected to its hub. It reconnects by itself until `disconnect()`. */
export class HasheeAgent {
  readonly agentId: string;
  readonly conversations: Conversations;
  readonly #options: AgentOptions;
  readonly #engine: AgentEngine;
  #toolScopes: ToolScopes = new Map();

  private constructor(options: AgentOptions, webSocket: WebSocketConstructor | null) {
    this.agentId = options.agentId;
    this.#options = options;
    this.conversations = ownConversations(options);
    this.#engine = new AgentEngine(options, webSocket, openMail);
  }

  /**
   * Connects with known credentials; resolves when the hub has accepted them.
   * @throws AgentError `invalid_token`, `agent_removed`, `invalid_base_url`, `web_socket_missing`,
   *   `hub_unreachable` after `connectTimeoutMs`, `manifest_unavailable`, `keys_unavailable`,
   *   `keys_in_use`, `paired_otherwise`, `aborted`
   */
  static init(options: AgentOptions): Promise<HasheeAgent> {
    return HasheeAgent.#start(options, null);
  }

  static async #start(given: AgentOptions, met: MetPerson | null): Promise<HasheeAgent> {
    // Its own: the address and the token change when its person moves to another hub.
    const options = { ...given };
    const isCalled = options.connectionMode === "webhook";
    const webSocket = isCalled ? null : (options.webSocket ?? (await findWebSocket()));
    if (options.signal?.aborted) throw new AgentError("aborted");
    const agent = new HasheeAgent(options, webSocket);
    const stop = new AbortController();
    const onAbort = () => agent.#engine.connection.close(new AgentError("aborted"));
    options.signal?.addEventListener("abort", onAbort, { once: true });
    try {
      await agent.#engine.openMail(options);
      // Before anything that the hub says: the key that the person was shown by is the one that counts.
      await agent.#engine.meet(met);
      await agent.#connect(stop);
      await agent.#engine.mail.ready();
      agent.#toolScopes = await scopesFor(agent.#hub, options, stop.signal);
      stop.signal.throwIfAborted();
      return agent;
    } catch (error) {
      agent.disconnect();
      throw error;
    } finally {
      options.signal?.removeEventListener("abort", onAbort);
    }
  }

  /**
   * Asks a person to add this agent, passes the pairing code to `onCode`, and connects once the person
   * has added it. The credentials are stored under the agent's name: `loadCredentials` finds them.
   * @throws AgentError any PairingErrorCode, `invalid_base_url`, `web_socket_missing`,
   *   `credentials_exist`, `credentials_unwritable`
   */
  static async pair(options: PairOptions): Promise<Paired & { readonly agent: HasheeAgent }> {
    // Before the person is asked: better no question than an answer that cannot be used.
    checkRequest(options);
    const isCalled = options.connectionMode === "webhook";
    const webSocket = isCalled ? undefined : (options.webSocket ?? (await findWebSocket()));
    const { fetch = globalThis.fetch, clock = realClock, baseUrl } = options;
    const store = CredentialsStore.for(options);
    store?.prepare();
    const { paired, personCard } = await requestPairing({ baseUrl, fetch, clock }, options);
    const { connectionMode = "websocket" } = options;
    store?.store({ ...paired.credentials, baseUrl, connectionMode });
    const { agentId, token, userId, conversationId } = paired.credentials;
    const known = { ...options, agentId, token, conversationId };
    const met = { userId, conversationId, card: personCard };
    const agent = await HasheeAgent.#start(webSocket ? { ...known, webSocket } : known, met);
    return { agent, ...paired };
  }

  async #connect(stop: AbortController): Promise<void> {
    const { connectTimeoutMs = CONNECT_TIMEOUT_DEFAULT_MS } = this.#options;
    const { clock, connection } = this.#engine;
    const giveUp = () =>
      connection.close(new AgentError("hub_unreachable", { value: this.#options.baseUrl }));
    const reached =
      connectTimeoutMs === Number.POSITIVE_INFINITY
        ? () => undefined
        : clock.after(connectTimeoutMs, giveUp);
    await this.#engine.connect(stop).finally(reached);
  }

  get status(): AgentStatus {
    return this.#engine.status;
  }

  /**
   * The conversation with the person, which calls and messages go to unless another is named.
   * @throws AgentError `conversation_unknown` if `init` was not told
   */
  get conversationId(): string {
    const { conversationId } = this.#options;
    if (conversationId === undefined) throw new AgentError("conversation_unknown");
    return conversationId;
  }

  #within<Content>(args: Within<Content>): readonly [conversationId: string, content: Content] {
    return args.length === 2 ? args : [this.conversationId, args[0]];
  }

  /**
   * Asks the person's client to run a tool; resolves with its result. Consentry's own tools have types;
   * any other name takes and gives JSON.
   * @param args as the tool's `input_schema` describes them
   * @throws ToolCallError; AgentError `conversation_unknown`
   */
  callTool<Name extends string>(
    conversationId: string,
    name: Name,
    args: ToolArguments<Name>,
    options?: CallToolOptions,
  ): Promise<ToolResult<Name>>;
  /** The same, in the agent's own conversation with the person. */
  callTool<Name extends string>(
    name: Name,
    args: ToolArguments<Name>,
    options?: CallToolOptions,
  ): Promise<ToolResult<Name>>;
  async callTool(...given: readonly unknown[]): Promise<unknown> {
    const isWithin = typeof given[1] === "string";
    const [conversationId, name, args, options] = (
      isWithin ? given : [this.conversationId, ...given]
    ) as readonly [string, string, JsonObject, CallToolOptions?];
    const { clock, outbox, pending, queue, ended } = this.#engine;
    const ports = { clock, outbox, pending, queue, ended, scope: this.#toolScopes.get(name) };
    return placeCall(ports, { ...options, conversationId, name, args });
  }

  /**
   * Resolves when the hub has stored the message durably.
   * @param args the text, before it the conversation if it is not the agent's own
   * @throws AgentError
   */
  async send(...args: Within<TextContent>): Promise<SentMessage> {
    return this.#engine.post(textMessage(...this.#within(args)));
  }

  /**
   * Sends a voice message. The agent's manifest, and in a group every agent's, has to say
   * `supports_voice: true`; `voiceIn` reads those that arrive.
   * @throws AgentError, including `VOICE_UNSUPPORTED`, `voice_type_unknown`, `voice_too_long`,
   *   `voice_too_large`
   */
  async sendVoice(...args: Within<VoiceContent>): Promise<SentMessage> {
    return this.#engine.post(voiceMessage(...this.#within(args)));
  }

  /**
   * Sends an artifact unchanged: build it with `artifact()`. A tool call may have the flat or the nested
   * form; its answer goes to the event handlers.
   * @throws AgentError
   */
  async sendArtifact(...args: Within<ArtifactContent>): Promise<SentMessage> {
    const [conversationId, content] = this.#within(args);
    const message = artifactMessage(conversationId, content);
    const state = readArtifact(content.artifact);
    if (state !== undefined) this.#engine.artifacts.sent(conversationId, state);
    return this.#engine.post(message);
  }

  /**
   * Changes an artifact that was sent earlier.
   * @throws AgentError, including `revision_not_higher`, `artifact_unfit`
   */
  async updateArtifact(...args: Within<ArtifactUpdate>): Promise<SentMessage> {
    const [conversationId, update] = this.#within(args);
    const { ref_artifact, ...change } = update;
    const read = this.#engine.artifacts.advance(conversationId, ref_artifact, asRead(change));
    const artifact = updateArtifactOf(ref_artifact, read);
    return this.#engine.post(artifactMessage(conversationId, { artifact }));
  }

  /** Calls the handler with each answer of the person to an artifact, as an event handler. */
  onArtifactResponse(handler: ArtifactResponseHandler, signal?: AbortSignal): void {
    this.addEventHandler((event) => {
      if (event.type !== "artifact_response" || isToolResponse(event)) return undefined;
      return handler(event.payload);
    }, signal);
  }

  /** Shows text as it is written. @throws AgentError when the agent has closed: why */
  stream(conversationId = this.conversationId): MessageStream {
    if (this.#engine.ended) throw new AgentError(this.#engine.ended);
    return new OutboundStream({
      conversationId,
      mail: this.#engine.mail,
      streamId: ulid(this.#engine.clock.now()),
      transmit: (frame) => this.#engine.transmit(frame),
      send: (content) => this.send(conversationId, content),
      opened: (streamId, failed) => this.#engine.delivery.streamOpened(streamId, failed),
    });
  }

  /** Shows a typing indicator until `stopTyping` or `disconnect`. */
  typing(conversationId = this.conversationId): void {
    if (this.status !== "closed") this.#engine.typing.show(conversationId);
  }

  /** Does nothing where no typing indicator is shown. */
  stopTyping(conversationId = this.conversationId): void {
    this.#engine.typing.hide(conversationId);
  }

  /**
   * Handlers are called in the order they were added, for each message without waiting for the
   * previous one. The hub gets the receipt of a message when all promises they returned have settled.
   * Messages that arrive before the first handler is added wait for it.
   */
  addMessageHandler(handler: MessageHandler, signal?: AbortSignal): void {
    this.#engine.delivery.messages.add(handler, signal);
  }

  /**
   * Like messages, events wait for the first handler. Tool responses do not, because most programs
   * leave those to `callTool`.
   */
  addEventHandler(handler: EventHandler, signal?: AbortSignal): void {
    this.#engine.delivery.events.add(handler, signal);
  }

  addStatusHandler(handler: StatusHandler, signal?: AbortSignal): void {
    this.#engine.statuses.add(handler, signal);
  }

  /**
   * For a webhook agent: accepts a delivery that the hub posted and passes it to the handlers and to
   * the pending `callTool`; a repeated delivery is handled once. Answer 2xx when it resolves. Add the
   * handlers first.
   *
   * @param rawBody the unparsed body
   * @throws AgentError (rejects) `signature_invalid`, `payload_not_json`, `payload_malformed`,
   *   `not_a_webhook_agent` (without `webhookSecret`); answer with its `status`
   */
  handleWebhook(headers: WebhookHeaders, rawBody: string | Uint8Array): Promise<void> {
    return this.#engine.intake.take(headers, rawBody);
  }

  /**
   * For a webhook agent: sets the address that the hub posts to. `handleWebhook` accepts the new secret
   * at once, and the previous one no longer.
   * @param webhookUrl `https:` and public, or on this machine
   * @returns the secret, which is never shown again; pass it as `webhookSecret` at the next start
   * @throws AgentError (rejects) `webhook_refused`, `invalid_token`, `agent_removed`, `hub_unreachable`;
   *   `not_a_webhook_agent` when it connects
   */
  async receiveAt(webhookUrl: string): Promise<string> {
    if (this.#options.connectionMode !== "webhook") throw new AgentError("not_a_webhook_agent");
    const secret = await receiveAt(this.#hub, this.#options, webhookUrl);
    this.#engine.intake.secret = secret;
    return secret;
  }

  /**
   * Replaces the agent's manifest at the hub. `callTool` uses it at once.
   * @throws AgentError (rejects)
   */
  async updateManifest(manifest: Manifest): Promise<ManifestUpdate> {
    const update = await updateManifest(this.#hub, this.#options, manifest);
    this.#toolScopes = toolScopes(manifest);
    return update;
  }

  /**
   * Opens a delivery for `parseWebhookPayload`.
   * @throws SealingError (rejects), whose `code` is one of docs/encryption.md, "Refusals"
   */
  async openEnvelope(message: WireMessage): Promise<OpenedMail> {
    return this.#engine.mail.openNow({ type: "message.new", ...message });
  }

  /** Closes for good: pending calls and messages are rejected, and nothing keeps the process alive. */
  disconnect(): void {
    this.#engine.leave();
  }

  /**
   * The safety number, which the person and this agent's developer compare over another channel.
   * @throws AgentError `keys_unknown`
   */
  safetyNumber(userId: string): Promise<SafetyNumber> {
    return this.#engine.keys((mail) => mail.safetyNumber(userId));
  }

  /**
   * After `encryption.key_changed`: accepts the person's new key and delivers what waited.
   * @param digits the digits of the safety number that was compared
   * @throws AgentError `keys_unknown` when that is not the current one
   */
  acceptKey(userId: string, digits: string): Promise<void> {
    return this.#engine.keys((mail) => mail.acceptKey(userId, digits));
  }

  get #hub(): HubPorts {
    const { baseUrl, fetch = globalThis.fetch } = this.#options;
    return { baseUrl, fetch, clock: this.#engine.clock };
  }
}
