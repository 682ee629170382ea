import { toBase64 } from "../../app/contract/base64.ts";
import type { JsonObject } from "../../app/contract/json.ts";
import { E2eeClient } from "../../app/encryption/e2ee/e2ee-client.ts";
import type { EncryptionLevel } from "../../app/encryption/e2ee/ports.ts";
import {
  CONVERSATION_ID,
  correspondents,
  MemoryRecords,
} from "../../app/encryption/testing/correspondents.ts";
import type { MessageNewFrame, MessageSendFrame } from "../../app/protocol/v1/frames.ts";
import { messageKind } from "../../app/protocol/v1/message-sealing.ts";
import { nodePrimitives as crypto } from "../../runtime/crypto/node-primitives.ts";
import { keepIdentity } from "../encryption/identity.ts";
import type { KeyStore } from "../options.ts";

export const AGENT_ID = "agent-1";
export const CONVERSATION = CONVERSATION_ID;
export const USER_ID = "person-1";

type Met = ReturnType<typeof meet>;

/** They know each other and have a session. Made once: each test goes on from a copy. */
const made = new Map<EncryptionLevel, Met>();

function theyMet(level: EncryptionLevel): Met {
  const met = made.get(level) ?? meet(level);
  made.set(level, met);
  return met;
}

async function meet(level: EncryptionLevel) {
  const { world, person, agent } = await correspondents(crypto, level);
  const about = { conversation_id: CONVERSATION, kind: "text", call_id: null };
  const pairs = [[person, agent] as const, [agent, person] as const];
  for (const [from, to] of pairs) {
    const wire = await from.mail.seal(bytesOf({}), { ...about, recipient_ids: [to.id] });
    const opened = await to.mail.open(wire, { ...about, sender_id: from.id });
    await opened.done();
  }
  await Promise.all([person.mail.close(), agent.mail.close()]);
  await keepIdentity(agent.records, agent.identity);
  return { world, person, agent };
}

/** The person behind a `FakeHub`: one end of the encrypted conversation, without a network. */
export class MetPerson {
  readonly #met: Met;
  readonly #mail: Promise<E2eeClient>;
  readonly #records: Promise<MemoryRecords>;
  readonly #payloads: JsonObject[] = [];
  #line: Promise<void> = Promise.resolve();

  /** Where the agent finds its keys. */
  readonly agentsKeys: KeyStore = {
    load: async () => (await this.#records).load(),
    save: async (changes) => (await this.#records).save(changes),
  };

  constructor(level: EncryptionLevel) {
    this.#met = theyMet(level);
    this.#mail = this.#begin();
    this.#records = this.#met.then(({ agent }) => copyOf(agent.records));
  }

  /** The hub's answer about the agent's keys: all are published. */
  async left() {
    const { agent } = await this.#met;
    return { key_id: toBase64(agent.identity.card.keyId), one_time_left: 100 };
  }

  /** @param payload text is sealed unchanged */
  async seal(
    payload: JsonObject | string,
    frame: Omit<MessageNewFrame, "encrypted_payload">,
    call_id: string | null,
  ): Promise<string> {
    const kind = messageKind(frame);
    const about = { conversation_id: CONVERSATION, recipient_ids: [AGENT_ID], kind, call_id };
    return (await this.#mail).seal(bytesOf(payload), about);
  }

  /** Receives the agent's message; once opened, it is among the payloads. */
  hear(frame: MessageSendFrame): void {
    const { conversation_id, encrypted_payload } = frame;
    const about = { conversation_id, sender_id: AGENT_ID, kind: messageKind(frame) };
    this.#line = this.#line.then(async () => {
      const { plaintext, done } = await (await this.#mail).open(encrypted_payload, about);
      this.#payloads.push(JSON.parse(new TextDecoder().decode(plaintext)));
      await done();
    });
  }

  async payloads(): Promise<JsonObject[]> {
    await this.#line;
    return [...this.#payloads];
  }

  /** @returns the parts of one stream */
  async shown(starts: readonly StreamFrame[], deltas: readonly StreamFrame[]): Promise<string[]> {
    const [start] = starts;
    if (start === undefined) return [];
    const place = { conversation_id: CONVERSATION, sender_id: AGENT_ID };
    const wire = start.encrypted_payload ?? "";
    const stream = await (await this.#mail).openStream(wire, start.stream_id, place);
    const parts: string[] = [];
    for (const delta of deltas) parts.push(await stream.delta(delta.encrypted_payload ?? ""));
    return parts;
  }

  async #begin(): Promise<E2eeClient> {
    const { world, person } = await this.#met;
    return E2eeClient.open({
      crypto,
      identity: person.identity,
      role: "person",
      records: copyOf(person.records),
      directory: world.directory.for(USER_ID),
      now: () => world.now,
      heard: () => undefined,
    });
  }
}

interface StreamFrame {
  readonly stream_id: string;
  readonly encrypted_payload?: string;
}

function copyOf({ stored }: MemoryRecords): MemoryRecords {
  const copy = new MemoryRecords();
  for (const [name, bytes] of stored) copy.stored.set(name, bytes);
  return copy;
}

const bytesOf = (payload: JsonObject | string): Uint8Array =>
  new TextEncoder().encode(typeof payload === "string" ? payload : JSON.stringify(payload));
