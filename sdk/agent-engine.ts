import { LIMITS } from "../app/contract/limits.ts";
import { Inbox } from "../app/protocol/link/inbox.ts";
import {
  SealedOutbox,
  type Sealer,
  type UnsealedMessage,
} from "../app/protocol/link/sealed-outbox.ts";
import { updateArtifactOf } from "../app/protocol/v1/artifact-messages.ts";
import { SEALED_AT_MOST_CHARS } from "../app/protocol/v1/fields.ts";
import type { MessageNewFrame } from "../app/protocol/v1/frames.ts";
import { messageKind, sealingError } from "../app/protocol/v1/message-sealing.ts";
import { BODY_AT_MOST_BYTES } from "../app/protocol/v1/rest.ts";
import { SentArtifacts } from "./artifacts.ts";
import { CallQueue } from "./call-queue.ts";
import type { SentMessage } from "./content.ts";
import { KeyedMail, type Mail, SESSION_SIGN } from "./encryption/keyed-mail.ts";
import type { MetPerson } from "./encryption/members.ts";
import type { MailListeners } from "./encryption/open-mail.ts";
import { AgentError, type AgentErrorCode } from "./errors.ts";
import type { AgentStatus } from "./events.ts";
import { HandlerList, safeReport } from "./handlers.ts";
import { type AgentLink, agentLink } from "./link.ts";
import { artifactMessage, ulid } from "./message-codec.ts";
import { MessageDelivery, routeFrame } from "./message-delivery.ts";
import {
  type AgentClock,
  type AgentOptions,
  realClock,
  type WebSocketConstructor,
} from "./options.ts";
import { TypingSigns } from "./outbound-stream.ts";
import { PendingCalls } from "./tool-calls.ts";
import { WebhookIntake } from "./webhook-intake.ts";

/** Bytes of a REST body besides the envelope: the message's id, its kind and the names of the fields. */
const BODY_FRAME_BYTES = 512;
/** How long an agent that disconnects may take to send its cancellations, in milliseconds. */
const LEAVE_WITHIN_MS = 1_000;

type OpenMail = (
  options: AgentOptions,
  listeners: MailListeners,
  signal: AbortSignal,
) => Promise<Mail>;

/** The parts of one agent, wired to each other. */
export class AgentEngine {
  readonly clock: AgentClock;
  readonly connection: AgentLink;
  readonly outbox: SealedOutbox;
  readonly #end = new AbortController();
  readonly #openMail: OpenMail;
  #mail: Mail | undefined;
  isLeaving = false;
  #endedBy: AgentErrorCode = "disconnected";
  /** The agent's hub is another one than it is connected to. */
  #hasMoved = false;
  readonly pending: PendingCalls;
  readonly queue: CallQueue;
  readonly delivery: MessageDelivery;
  readonly artifacts = new SentArtifacts();
  readonly statuses: HandlerList<[AgentStatus, AgentError<AgentErrorCode>?]>;
  readonly typing: TypingSigns;
  readonly intake: WebhookIntake;

  constructor(options: AgentOptions, webSocket: WebSocketConstructor | null, openMail: OpenMail) {
    this.#openMail = openMail;
    const { agentId, clock = realClock, callsAtOnce = LIMITS.waitingPerAgent } = options;
    const report = safeReport(options.onHandlerError);
    this.clock = clock;
    const maxChars =
      webSocket === null ? BODY_AT_MOST_BYTES - BODY_FRAME_BYTES : SEALED_AT_MOST_CHARS;
    this.outbox = new SealedOutbox(
      sealer(() => this.mail, maxChars),
      (text) => this.connection.send(text),
      clock.after.bind(clock),
    );
    this.pending = new PendingCalls(clock);
    this.queue = new CallQueue(callsAtOnce);
    this.typing = new TypingSigns(clock, (frame) => this.transmit(frame));
    this.delivery = new MessageDelivery(
      agentId,
      this.pending,
      () => this.mail,
      report,
      (conversationId, artifactId) => this.#sendWhole(conversationId, artifactId),
      (frame, notice) => this.#follow(frame, notice),
    );
    this.statuses = new HandlerList(report);
    const inbox = new Inbox({
      deliver: (frame) => this.delivery.deliver(frame),
      received: (conversation_id, conversation_seq) => {
        this.intake.received(conversation_id, conversation_seq);
        this.transmit({ type: "message.received", conversation_id, conversation_seq });
        this.#leaveForHub(conversation_id);
      },
    });
    const receivers = {
      inbox,
      outbox: this.outbox,
      delivery: this.delivery,
      mail: () => this.mail,
    };
    this.connection = agentLink(options, webSocket, {
      onFrame: (frame) => routeFrame(receivers, frame),
      onStatus: (status, cause) => this.#onStatus(status, cause),
    });
    this.intake = new WebhookIntake(options.webhookSecret, {
      now: () => clock.now(),
      inbox,
      event: (event) => this.delivery.events.callNow(event),
    });
  }

  /** @throws AgentError `keys_unavailable` before it is open */
  get mail(): Mail {
    if (this.#mail === undefined) throw new AgentError("keys_unavailable");
    return this.#mail;
  }

  get status(): AgentStatus {
    return this.isLeaving ? "closed" : this.connection.status;
  }

  /** Why it has closed; `undefined`: it has not. */
  get ended(): AgentErrorCode | undefined {
    return this.status === "closed" ? this.#endedBy : undefined;
  }

  /** @throws AgentError `keys_unavailable`, or why the connection was closed meanwhile */
  async openMail(options: AgentOptions): Promise<void> {
    const { signal } = this.#end;
    this.#mail = await this.#openMail(options, this.#listeners, signal);
    if (signal.aborted) this.#mail.close();
    signal.throwIfAborted();
  }

  /** @param stop aborted when the connection closes, with the reason */
  connect(stop: AbortController): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#end.signal.throwIfAborted();
      this.statuses.add((status, cause) => {
        if (status === "connected") resolve();
        if (status !== "closed") return;
        const reason = cause ?? new AgentError("disconnected");
        stop.abort(reason);
        reject(reason);
      }, stop.signal);
      this.connection.open();
    });
  }

  post(message: UnsealedMessage): Promise<SentMessage> {
    if (this.ended !== undefined) return Promise.reject(new AgentError(this.ended));
    return new Promise((resolve, reject) => {
      this.outbox.seal(ulid(this.clock.now()), message, {
        acked: resolve,
        refused: (code, params) => reject(new AgentError(code, { params })),
      });
    });
  }

  /** `undefined`: this process does not know it. Whatever refuses it, the client asks again. */
  #sendWhole(conversationId: string, artifactId: string): Promise<unknown> | undefined {
    const whole = this.artifacts.whole(conversationId, artifactId);
    if (whole === undefined) return undefined;
    const artifact = updateArtifactOf(artifactId, whole);
    return this.post(artifactMessage(conversationId, { artifact })).catch(() => undefined);
  }

  /** Closes for good, after sending cancellations for the calls it gives up. */
  leave(): void {
    if (this.isLeaving) return;
    // While there is a connection: the person must not be asked on behalf of an agent that has left.
    this.pending.abortAll(this.#endedBy);
    this.isLeaving = true;
    const leaving = this.outbox.settled();
    if (leaving === undefined) this.connection.close();
    else void this.#closeAfter(leaving);
  }

  /** The person who has just added the agent is known from now on. */
  async meet(person: MetPerson | null): Promise<void> {
    if (person !== null && this.mail instanceof KeyedMail) await this.mail.meet(person);
  }

  async keys<T>(work: (mail: KeyedMail) => Promise<T>): Promise<T> {
    try {
      if (this.mail instanceof KeyedMail) return await work(this.mail);
    } catch (error) {
      if (!sealingError.is(error)) throw error;
    }
    throw new AgentError("keys_unknown");
  }

  async #follow(frame: MessageNewFrame, notice: Uint8Array): Promise<void> {
    const event = await this.mail.follow(frame, notice);
    if (event === null) return;
    this.#hasMoved ||= event.payload.followed;
    void this.delivery.events.call(event);
  }

  /** Once the hub that it leaves knows that the notice has arrived. */
  #leaveForHub(conversationId: string): void {
    if (!this.#hasMoved) return;
    this.#hasMoved = false;
    this.connection.renew?.();
    // What waits for an answer may not have reached the person, who has left that hub too.
    this.pending.sendAgain(conversationId);
  }

  get #listeners(): MailListeners {
    return {
      tell: (event) => void this.delivery.events.call(event),
      again: (conversationId) => this.pending.sendAgain(conversationId),
      sign: (conversation_id, plaintext) => {
        const sign = { conversation_id, ...SESSION_SIGN, plaintext, call_id: null };
        this.outbox.seal(ulid(this.clock.now()), sign, { acked() {}, refused() {} });
      },
    };
  }

  async #closeAfter(leaving: Promise<unknown>): Promise<void> {
    let cancel = () => {};
    const enough = new Promise<void>((resolve) => {
      cancel = this.clock.after(LEAVE_WITHIN_MS, resolve);
    });
    await Promise.race([leaving, enough]);
    cancel();
    this.connection.close();
  }

  transmit(frame: object): void {
    this.connection.send(JSON.stringify(frame));
  }

  #onStatus(status: AgentStatus, cause?: AgentError<AgentErrorCode>): void {
    if (status === "connected") {
      this.outbox.resendAll();
      this.mail.connected();
    }
    if (status === "closed") {
      this.#endedBy = cause?.code ?? this.#endedBy;
      // Calls first: each takes its unsent message with it.
      this.pending.abortAll(this.#endedBy);
      this.typing.clear();
      this.outbox.refuseAll(this.#endedBy);
    }
    void this.statuses.call(status, cause);
    if (status !== "closed") return;
    this.#end.abort(cause);
    this.#mail?.close();
    this.delivery.clear();
    this.statuses.clear();
  }
}

/** Bytes that an envelope adds to its content: about 450 between two, more with the id of a call. */
const ENVELOPE_BYTES = 900;

/** @param maxChars of an envelope in base64, as the hub accepts it */
const sealer = (mail: () => Mail, maxChars: number): Sealer => ({
  async prepare({ plaintext, call_id, conversation_id, ...frame }) {
    // Before it is sealed: an envelope that is never sent counts as missed by its recipient.
    const expected = ((plaintext.length + ENVELOPE_BYTES) * 4) / 3;
    if (expected > maxChars) throw new AgentError("payload_too_large");
    return async () => {
      const kind = messageKind(frame);
      const sealed = await mail().seal({ conversation_id, kind, call_id, plaintext });
      // Many recipients add more.
      if (sealed.length > maxChars) throw new AgentError("payload_too_large");
      return sealed;
    };
  },
  codeOf: (error) =>
    sealingError.is(error) || error instanceof AgentError ? error.code : "keys_unavailable",
});
