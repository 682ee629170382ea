import { assertNever } from "../../app/contract/assert-never.ts";
import type { ToolResponse } from "../../app/contract/tool-call.ts";
import type { Arrival } from "../../app/execution/ports.ts";
import type { LinkClock } from "../../app/protocol/link/connection.ts";
import type { MessageNewFrame } from "../../app/protocol/v1/frames.ts";
import {
  ENCRYPTION_SESSION_SUBTYPE,
  type OpenedMessage,
} from "../../app/protocol/v1/message-sealing.ts";
import {
  decodeToolCall,
  decodeToolCancel,
  encodeToolResponse,
  TOOL_CALL_SUBTYPE,
  TOOL_CANCEL_SUBTYPE,
  TOOL_RESPONSE_SUBTYPE,
} from "../../app/protocol/v1/tool-messages.ts";
import type { CallIntake } from "./channel.ts";
import { type EnvelopePorts, IncomingEnvelopes } from "./incoming-envelopes.ts";

/** A message to be read, if anybody reads it. */
export interface ArrivedMessage extends Omit<MessageNewFrame, "type" | "encrypted_payload"> {
  /** Null: its envelope could not be opened. */
  readonly payload: Uint8Array | null;
}

export interface MessagePorts extends EnvelopePorts, Pick<CallIntake, "handle" | "giveUp"> {
  /** Resolves when it is this sender's turn; in the order of the calls for each. Never rejects. */
  turn(senderId: string): Promise<void>;
  /** True once it is stored, or never will be: only then may the hub erase it. */
  keep(message: ArrivedMessage): Promise<boolean>;
  readonly clock: Pick<LinkClock, "after">;
  refused(agentId: string, code: string): void;
  /**
   * True when the hub has the answer or will never accept it, false when the sealing or the hub could not
   * store it; never resolves when the answer must not be sent.
   * @param mayLeave whether it may be sent. Default: it may
   */
  say(
    frame: MessageNewFrame,
    subtype: string,
    text: Uint8Array,
    callId: string,
    mayLeave?: Promise<boolean>,
  ): Promise<boolean>;
}

/** An answer that is being sealed while its outcome is being recorded. */
interface ReadyAnswer {
  readonly response: ToolResponse;
  readonly said: Promise<boolean>;
  readonly leave: (may: boolean) => void;
}

interface Delivery {
  readonly frame: MessageNewFrame;
  /** A call's answer. It is sent again as it is: handled again, a call that could not be recorded might run. */
  response: ToolResponse | null;
  isHandled: boolean;
}

/** Pauses between attempts to store a message, ms; after the last, it waits for the next start. */
const KEPT_AGAIN_AFTER = [1_000, 5_000, 30_000, 60_000, 300_000, 900_000] as const;

/** Subtypes that only an agent and the chain use. */
const OF_CALLS: readonly string[] = [TOOL_CALL_SUBTYPE, TOOL_CANCEL_SUBTYPE, TOOL_RESPONSE_SUBTYPE];
const NEVER = new Promise<never>(() => {});

/** Handles each message that the hub delivers. */
export class ArrivedMessages {
  readonly #ports: MessagePorts;
  readonly #incoming: IncomingEnvelopes;
  /** Each cancels a pending retry. */
  readonly #waits = new Set<() => void>();
  #isClosed = false;

  constructor(ports: MessagePorts) {
    this.#ports = ports;
    this.#incoming = new IncomingEnvelopes(ports);
  }

  /** The person has accepted this agent's key: handles the messages that waited for it. */
  release(agentId: string): void {
    this.#incoming.release(agentId);
  }

  /** Starts and retries nothing from now on: the hub delivers it after the next start. */
  close(): void {
    this.#isClosed = true;
    for (const cancel of this.#waits) cancel();
  }

  /**
   * Settles when the message is handled: the hub has a call's answer, a cancelled call has ended, any
   * other message is stored. Until then its content is also stored sealed here, because an envelope
   * can be opened only once (decision 19). While nothing can be stored, what is not done yet is tried
   * again, and what came later waits.
   */
  async deliver(frame: MessageNewFrame): Promise<void> {
    await this.#ports.turn(frame.sender_id);
    if (this.#isClosed) return NEVER;
    const delivery: Delivery = { frame, response: null, isHandled: false };
    for (const wait of KEPT_AGAIN_AFTER) {
      if (await this.#isDealtWith(delivery)) return;
      await this.#pause(wait);
    }
    if (await this.#isDealtWith(delivery)) return;
    this.#incoming.letPass(frame);
    await NEVER;
  }

  /** False when something could not be stored. A repeated call or text is recognized by its id. */
  async #isDealtWith(delivery: Delivery): Promise<boolean> {
    const { frame } = delivery;
    const incoming = await this.#incoming.open(frame);
    if (this.#isClosed) return NEVER;
    switch (incoming.kind) {
      case "known":
        // After a crash an honest hub delivers it again, so the person is not warned.
        this.#ports.refused(frame.sender_id, "replayed");
        return true;
      case "postponed":
        return false;
      case "refused":
        return this.#refuse(delivery, incoming.code);
      case "opened": {
        const { message } = incoming;
        delivery.isHandled ||= await this.#handle(delivery, message);
        if (delivery.isHandled && (await succeeds(message.done()))) return true;
        if (!(await succeeds(message.kept()))) this.#incoming.holdUp(frame);
        return false;
      }
      default:
        return assertNever(incoming);
    }
  }

  async #handle(delivery: Delivery, message: OpenedMessage): Promise<boolean> {
    const { frame } = delivery;
    const subtype = frame.sender_type === "agent" ? frame.msg_subtype : undefined;
    switch (subtype) {
      case TOOL_CALL_SUBTYPE:
        return this.#answer(delivery, callIn(frame, message));
      case TOOL_CANCEL_SUBTYPE:
        await this.#giveUp(frame, message);
        return true;
      case ENCRYPTION_SESSION_SUBTYPE:
        return true;
      default:
        return this.#keep(frame, message.plaintext);
    }
  }

  /** A call is answered and logged nevertheless, with the envelope's digest (contract §1). */
  async #refuse(delivery: Delivery, code: string): Promise<boolean> {
    const { frame } = delivery;
    this.#ports.refused(frame.sender_id, code);
    const isCall = frame.sender_type === "agent" && frame.msg_subtype === TOOL_CALL_SUBTYPE;
    if (isCall) return this.#answer(delivery, unreadable(frame));
    return this.#keep(frame, null);
  }

  /** Subtypes of calls that are not calls have no reader here: left at the hub they would fill the queue. */
  async #keep(frame: MessageNewFrame, payload: Uint8Array | null): Promise<boolean> {
    if (isOfCalls(frame)) return true;
    const { type: _, encrypted_payload: __, ...about } = frame;
    return this.#ports.keep({ ...about, payload });
  }

  #pause(ms: number): Promise<void> {
    if (this.#isClosed) return NEVER;
    return new Promise((resolve) => {
      const cancel = this.#ports.clock.after(ms, () => {
        this.#waits.delete(cancel);
        resolve();
      });
      this.#waits.add(cancel);
    });
  }

  async #giveUp(frame: MessageNewFrame, { plaintext, call_id }: OpenedMessage): Promise<void> {
    const callId = decodeToolCancel(plaintext);
    if (callId === undefined || (call_id !== null && call_id !== callId)) return;
    const isOver = await this.#ports.giveUp({ agent_id: frame.sender_id, call_id: callId });
    await (isOver ? undefined : NEVER);
  }

  async #answer(delivery: Delivery, decoded: Arrival["decoded"]): Promise<boolean> {
    const { frame } = delivery;
    if (delivery.response !== null) return this.#say(frame, delivery.response);
    const { conversation_id, conversation_type, sender_id } = frame;
    const made: { ready?: ReadyAnswer } = {};
    let response: ToolResponse | null = null;
    try {
      response = await this.#ports.handle({
        decoded,
        agent_id: sender_id,
        conversation_id,
        conversation_type,
        answering: (early) => {
          const { promise, resolve } = Promise.withResolvers<boolean>();
          made.ready = { response: early, said: this.#say(frame, early, promise), leave: resolve };
        },
      });
    } finally {
      made.ready?.leave(made.ready.response === response);
    }
    if (response === null) return NEVER;
    delivery.response = response;
    return made.ready?.response === response ? made.ready.said : this.#say(frame, response);
  }

  #say(to: MessageNewFrame, response: ToolResponse, mayLeave?: Promise<boolean>): Promise<boolean> {
    const { call_id } = response;
    const text = encodeToolResponse(response);
    return this.#ports.say(to, TOOL_RESPONSE_SUBTYPE, text, call_id, mayLeave);
  }
}

const succeeds = (work: Promise<void>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  );

const isOfCalls = ({ msg_subtype = "" }: MessageNewFrame): boolean =>
  OF_CALLS.includes(msg_subtype);

/** Unless the sealed call id equals the one in the payload, it is not a call. */
function callIn(frame: MessageNewFrame, { plaintext, call_id }: OpenedMessage): Arrival["decoded"] {
  const decoded = decodeToolCall(plaintext, frame.message_id);
  if (decoded.kind === "malformed" || call_id === null) return decoded;
  return decoded.call.call_id === call_id ? decoded : unreadable(frame);
}

const unreadable = ({ encrypted_payload, message_id }: MessageNewFrame): Arrival["decoded"] =>
  decodeToolCall(new TextEncoder().encode(encrypted_payload), message_id);
