import { beforeEach } from "vitest";
import { ManualTime, turn } from "../../../app/contract/testing/manual-time.ts";
import type { ToolResponse } from "../../../app/contract/tool-call.ts";
import { FakeHub } from "../../../sdk/testing/fake-hub.ts";
import type { CallIntake } from "../channel.ts";
import { HubChannel } from "../hub-channel.ts";
import { plainSealing } from "./plain-sealing.ts";

type Arrived = Parameters<CallIntake["handle"]>[0];

export const REAUTH_NOTICE = {
  type: "h2a.reauth_required",
  payload: {
    notice_id: "7",
    agent_id: "agent",
    new_manifest_version: 2,
    new_manifest_hash: "h",
    scopes_requiring_reauth: ["x"],
    breaking_changes: [],
  },
};

/** A hub whose frames a test writes, and the channel connected to it. */
export class ScriptedHub extends FakeHub {
  readonly time = new ManualTime();
  readonly arrivals: Arrived[] = [];
  readonly events: string[] = [];
  /** The chain's answer to a call. */
  answer: (arrival: Arrived) => Promise<ToolResponse | null> = async () => null;
  /** The answer to a wanted re-consent: true when it is durable. */
  handles: () => Promise<boolean> = async () => false;
  /** The answer to a cancellation: true when the call has ended. */
  ends: () => Promise<boolean> = async () => true;
  /** The answer to a message to be read: true when it is stored. */
  keeps: () => Promise<boolean> = async () => true;
  #messages = 0;
  readonly channel = new HubChannel({
    open: () => this.accept(""),
    accessToken: async () => `token-${this.sockets.length}`,
    sealing: plainSealing,
    turn: async () => {},
    keysKnown: async () => {},
    recipients: async () => ["agent"],
    clock: this.time,
    newMessageId: () => {
      this.#messages += 1;
      return `response-${this.#messages}`;
    },
    handle: (arrival) => {
      this.arrivals.push(arrival);
      return this.answer(arrival);
    },
    giveUp: ({ agent_id, call_id }) => {
      this.events.push(`${agent_id} gave up ${call_id}`);
      return this.ends();
    },
    keep: async ({ message_id }) => {
      this.events.push(`kept ${message_id}`);
      return this.keeps();
    },
    events: {
      connected: (isConnected) => this.events.push(isConnected ? "connected" : "lost"),
      presence: (agentId, online) => this.events.push(`${agentId} ${online ? "on" : "off"}`),
      pairingRequested: ({ code }) => this.events.push(`pairing ${code}`),
      pairingClosed: (pairingId) => this.events.push(`closed ${pairingId}`),
      relation: ({ type }) => this.events.push(type),
      reauthRequired: ({ agent_id }) => {
        this.events.push(`reauth ${agent_id}`);
        return this.handles();
      },
      manifestChanged: ({ agent_id }) => this.events.push(`manifest ${agent_id}`),
      stream: ({ type, stream_id }) => this.events.push(`${type} ${stream_id}`),
      typing: ({ type, sender_id }) => this.events.push(`${type} ${sender_id}`),
      groupUpdated: ({ change }) => this.events.push(`group ${change}`),
      messageRead: ({ user_id, seq }) => this.events.push(`${user_id} read ${seq}`),
      keysChanged: (ownerId) => this.events.push(`${ownerId} changed keys`),
      prekeysLow: () => this.events.push("prekeys low"),
      envelopeRefused: (agentId, code) => this.events.push(`${agentId} ${code}`),
    },
  });

  constructor() {
    super({ isByHand: true });
  }

  /** Before each test, a new one with its channel authenticated. */
  static forEachTest(began: (hub: ScriptedHub) => void): void {
    beforeEach(async () => {
      const hub = new ScriptedHub();
      began(hub);
      hub.channel.open();
      await hub.letIn();
    });
  }

  async letIn(): Promise<void> {
    await turn();
    this.send({ type: "auth.ok", subject_id: "person" });
    await turn();
  }

  /** A message to the person; a call unless said otherwise. */
  async deliver(seq: number, over: object = {}): Promise<void> {
    this.send({
      type: "message.new",
      message_id: `message-${seq}`,
      conversation_id: "talk",
      conversation_seq: seq,
      conversation_type: "h2a",
      sender_id: "agent",
      sender_type: "agent",
      content_type: "artifact",
      msg_subtype: "artifact_tool_call",
      encrypted_payload: "",
      created_at: "2026-01-01T00:00:00.000Z",
      ...over,
    });
    await turn();
  }

  /** What the channel makes of a frame, all at once. */
  async tell(frame: object): Promise<void> {
    this.send(frame);
    await turn();
  }

  get received(): readonly number[] {
    return this.frames("message.received").map(({ conversation_seq }) => conversation_seq);
  }
}
