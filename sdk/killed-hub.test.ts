import { expect, it } from "vitest";
import type { SentMessage } from "./index.ts";
import { KILLS, KilledHub, LIMIT_MS, type MetAgent, TEXTS_BETWEEN } from "./testing/killed-hub.ts";

/** What one side wrote, and what the hub said when it had it. */
class Written {
  readonly texts: string[] = [];
  readonly acks: Promise<SentMessage>[] = [];

  add(text: string, ack: Promise<SentMessage>): void {
    this.texts.push(text);
    this.acks.push(ack);
  }

  /** Text and id of each, in the order it was written. */
  async all(): Promise<readonly (readonly [text: string, messageId: string])[]> {
    const sent = await Promise.all(this.acks);
    const numbers = sent.map(({ conversation_seq }) => conversation_seq);
    expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b));
    return sent.map(({ message_id }, at) => [this.texts[at] ?? "", message_id]);
  }
}

/** One conversation, with all that was written and heard in it. */
class Talk {
  readonly byAgent = new Written();
  readonly byPerson = new Written();
  readonly heard: (readonly [text: string, messageId: string])[] = [];
  readonly #hub: KilledHub;
  readonly #met: MetAgent;

  constructor(hub: KilledHub, met: MetAgent) {
    this.#hub = hub;
    this.#met = met;
    met.agent.addMessageHandler(({ payload, message_id }) => {
      this.heard.push([String(payload.text), message_id]);
    });
  }

  /** What the person has read of it. */
  get read(): readonly (readonly [text: string, messageId: string])[] {
    const { conversationId } = this.#met.credentials;
    return this.#hub.person.read
      .filter(({ conversation_id }) => conversation_id === conversationId)
      .map(({ text, message_id }) => [text, message_id]);
  }

  writeBothWays(mark: string): void {
    const { agent, credentials } = this.#met;
    const { conversationId } = credentials;
    this.byPerson.add(mark, this.#hub.person.say(conversationId, mark));
    this.byAgent.add(mark, agent.send(conversationId, { type: "text", text: mark }));
  }
}

/** The kill falls into the traffic: at once, behind one side's first message, or behind them all. */
async function passing(kill: number, talks: readonly Talk[]): Promise<void> {
  const first = kill * TEXTS_BETWEEN;
  if (kill % 4 === 1) await talks[0]?.byAgent.acks[first];
  if (kill % 4 === 2) await talks[1]?.byPerson.acks[first];
  if (kill % 4 !== 3) return;
  await Promise.all(talks.flatMap(({ byAgent, byPerson }) => [...byAgent.acks, ...byPerson.acks]));
}

it(
  `brings every message once and in order, both ways, while the hub is killed ${KILLS} times`,
  async () => {
    const hub = await KilledHub.start();
    const talks = [new Talk(hub, await hub.add("Steady")), new Talk(hub, await hub.add("Ready"))];
    for (let kill = 0; kill < KILLS; kill += 1) {
      for (let at = 0; at < TEXTS_BETWEEN; at += 1) {
        for (const talk of talks) talk.writeBothWays(`text ${kill}.${at}`);
      }
      await passing(kill, talks);
      await hub.killAndStart();
    }
    await passing(3, talks);
    // Whatever would still come twice comes before what is written after another start.
    await hub.killAndStart();
    for (const talk of talks) talk.writeBothWays("last");
    for (const talk of talks) {
      const isLast = (ends: Talk["heard"][number] | undefined) => ends?.[0] === "last";
      await expect.poll(() => isLast(talk.heard.at(-1)), { timeout: LIMIT_MS }).toBe(true);
      await expect.poll(() => isLast(talk.read.at(-1)), { timeout: LIMIT_MS }).toBe(true);
      expect(talk.heard).toEqual(await talk.byPerson.all());
      expect(talk.read).toEqual(await talk.byAgent.all());
    }
  },
  LIMIT_MS,
);
