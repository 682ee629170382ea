import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import type { ToolResponse } from "../app/contract/tool-call.ts";
import type { Arrival } from "../app/execution/ports.ts";
import { frameSocketOf } from "../app/protocol/link/web-socket.ts";
import { HubChannel } from "../main/channels/hub-channel.ts";
import { hasty, KILLS, KilledHub, LIMIT_MS, type MetAgent } from "./testing/killed-hub.ts";

const CALLS_BETWEEN = 6;

const answerTo = (callId: string): ToolResponse => ({
  call_id: callId,
  status: "ok",
  result: { answers: callId },
});

/** The client's own end of the line, in place of the person's; every third answer takes a restart. */
class Answering {
  /** Conversation and id of each call, in the order they came. */
  readonly arrivals: (readonly [conversationId: string, callId: string])[] = [];
  readonly #hub: KilledHub;
  #restarted = Promise.withResolvers<void>();

  constructor(hub: KilledHub) {
    this.#hub = hub;
    const channel = new HubChannel({
      open: () => frameSocketOf(new WebSocket(`${hub.url.replace("http", "ws")}/ws/human`)),
      accessToken: async () => hub.person.token,
      sealing: hub.person.keys.mail,
      turn: async () => {},
      keysKnown: async () => {},
      recipients: (conversationId) => hub.person.keys.others(conversationId),
      keep: async () => true,
      clock: hasty,
      newMessageId: randomUUID,
      handle: (arrival) => this.#answer({ ...arrival, transport: "hub" }),
      giveUp: async () => true,
      events: {
        connected() {},
        presence() {},
        pairingRequested() {},
        pairingClosed() {},
        relation() {},
        reauthRequired: async () => true,
        manifestChanged() {},
        keysChanged() {},
        prekeysLow() {},
        envelopeRefused() {},
        stream() {},
        typing() {},
        groupUpdated() {},
        messageRead() {},
      },
    });
    hub.closing(() => channel.close());
    channel.open();
  }

  async killAndStart(): Promise<void> {
    await this.#hub.killAndStart();
    const restarted = this.#restarted;
    this.#restarted = Promise.withResolvers();
    restarted.resolve();
  }

  async #answer({ decoded, conversation_id }: Arrival): Promise<ToolResponse> {
    expect(decoded.kind).toBe("call");
    const callId = decoded.kind === "call" ? decoded.call.call_id : "";
    this.arrivals.push([conversation_id, callId]);
    if (this.arrivals.length % 3 === 0) await this.#restarted.promise;
    return answerTo(callId);
  }
}

/** An agent's calls: each is answered by its own result, and by one message only. */
class Calling {
  readonly placed: string[] = [];
  readonly answered: string[] = [];
  readonly results: Promise<unknown>[] = [];
  readonly conversationId: string;
  readonly #met: MetAgent;

  constructor(met: MetAgent) {
    this.#met = met;
    this.conversationId = met.credentials.conversationId;
    met.agent.addEventHandler((event) => {
      if (event.type === "artifact_response") this.answered.push(event.payload.ref_artifact);
    });
  }

  call(callId: string): Promise<unknown> {
    const { agent, credentials } = this.#met;
    const options = { callId, timeoutMs: LIMIT_MS };
    this.placed.push(callId);
    const path = { path: `/${callId}` };
    const result = agent.callTool(credentials.conversationId, "read_file", path, options);
    this.results.push(result);
    return result;
  }
}

it(
  `runs each call once and brings each answer once while the hub is killed ${KILLS} times`,
  async () => {
    const hub = await KilledHub.start();
    const agents = [new Calling(await hub.add("Steady")), new Calling(await hub.add("Ready"))];
    hub.person.leave();
    const answering = new Answering(hub);
    for (let kill = 0; kill < KILLS; kill += 1) {
      const arrived = answering.arrivals.length;
      for (let at = 0; at < CALLS_BETWEEN; at += 1) {
        for (const [of, agent] of agents.entries()) void agent.call(`call-${of}-${kill}-${at}`);
      }
      // At once, behind the first arrival, or behind the first answer that no restart is needed for.
      if (kill % 3 > 0) {
        const poll = () => answering.arrivals.length;
        await expect.poll(poll, { timeout: LIMIT_MS, interval: 2 }).toBeGreaterThan(arrived);
      }
      if (kill % 3 === 2) await Promise.race(agents.flatMap(({ results }) => results.slice(-6)));
      await answering.killAndStart();
    }
    const ended = agents.flatMap(({ results }) => results);
    let isOver = false;
    const all = Promise.all(ended).then(() => {
      isOver = true;
    });
    // An answer that waits for a restart gets one.
    while (!isOver) {
      await Promise.race([all, new Promise((resolve) => hasty.after(20_000, () => resolve(null)))]);
      await answering.killAndStart();
    }
    // Whatever would still come twice comes before the last answer, which may want a restart too.
    for (const agent of agents) {
      const last = agent.call("last");
      const arrivals = () => answering.arrivals.at(-1)?.[1];
      await expect.poll(arrivals, { timeout: LIMIT_MS }).toBe("last");
      await answering.killAndStart();
      await last;
    }
    for (const { conversationId, placed, answered, results } of agents) {
      const arrived = answering.arrivals.filter(([of]) => of === conversationId);
      expect(arrived.map(([, callId]) => callId)).toEqual(placed);
      expect([...answered].sort()).toEqual([...placed].sort());
      expect(await Promise.all(results)).toEqual(placed.map((answers) => ({ answers })));
    }
  },
  LIMIT_MS,
);
