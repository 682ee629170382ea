import { setTimeout as wait } from "node:timers/promises";
import { WebSocket } from "ws";
import { Connection } from "../../../app/protocol/link/connection.ts";
import { Inbox } from "../../../app/protocol/link/inbox.ts";
import { Outbox } from "../../../app/protocol/link/outbox.ts";
import { frameSocketOf } from "../../../app/protocol/link/web-socket.ts";
import { realClock } from "../../../sdk/options.ts";
import { OwnPostgres } from "../../../tests/servers/own-postgres.ts";
import { type AddedAgent, HubCaller } from "../hub-caller.ts";
import { Fleet } from "./fleet.ts";

export interface FleetOptions {
  /** How many acknowledged messages end the run, once `seconds` are over. */
  readonly messages: number;
  readonly seconds: number;
  /** Between two faults, about. */
  readonly faultEveryMs: number;
}

export interface FleetReport {
  acknowledged: number;
  /** To the application. */
  delivered: number;
  readonly faults: { readonly [kind: string]: number };
  /** What must not happen, each said once. */
  readonly wrong: readonly string[];
}

const AGENTS = 8;
/** Messages that a sender has on their way in one conversation. */
const ON_THE_WAY = 8;
/** How long everything may take to arrive, once nothing fails any more, in milliseconds. */
const SETTLE_MS = 180_000;

/** Asks a node that runs, as its owner. */
class Owner extends HubCaller {
  readonly #fleet: Fleet;
  constructor(fleet: Fleet) {
    super();
    this.#fleet = fleet;
  }
  get url(): string {
    return this.#fleet.url(this.#any());
  }
  async personToken(): Promise<string> {
    return this.#fleet.ownerToken(this.#any());
  }
  #any(): number {
    return this.#fleet.living()[0] ?? 0;
  }
}

/** What everybody has sent and got. */
class Tally {
  readonly wrong: string[] = [];
  acknowledged = 0;
  delivered = 0;
  /** Sent, and not answered. */
  readonly #sent = new Set<string>();
  readonly #awaited = new Set<string>();
  readonly #seen = new Set<string>();
  readonly #lastSeq = new Map<string, number>();

  sent(id: string): void {
    this.#sent.add(id);
  }

  acked(id: string): void {
    this.acknowledged += 1;
    this.#sent.delete(id);
    if (!this.#seen.has(id)) this.#awaited.add(id);
  }

  refused(id: string, code: string): void {
    this.#sent.delete(id);
    // Nothing waits forever: a full queue empties, and limits pass.
    const mayPass = code === "RECIPIENT_QUEUE_FULL" || code === "RATE_LIMITED";
    if (!mayPass || this.#seen.has(id)) this.wrong.push(`${id} was refused: ${code}`);
  }

  got(reader: string, conversationId: string, seq: number, id: string): void {
    this.delivered += 1;
    if (this.#seen.has(id)) this.wrong.push(`${id} came twice`);
    this.#seen.add(id);
    const place = `${reader} ${conversationId}`;
    const last = this.#lastSeq.get(place) ?? 0;
    if (seq <= last) this.wrong.push(`${seq} came after ${last} in ${conversationId}`);
    this.#lastSeq.set(place, seq);
    this.#awaited.delete(id);
  }

  /** Acknowledged and not delivered. */
  get waiting(): number {
    return this.#awaited.size;
  }

  get isSettled(): boolean {
    return this.#awaited.size + this.#sent.size === 0;
  }

  unsettled(): string[] {
    return [
      ...[...this.#awaited].map((id) => `${id} was lost`),
      ...[...this.#sent].map((id) => `${id} was never answered`),
    ];
  }
}

/** One end of conversations, on the client's own link, connected to any node that runs. */
class Talker {
  readonly #tally: Tally;
  readonly #name: string;
  readonly #connection: Connection;
  readonly #outbox: Outbox;
  #sent = 0;

  constructor(fleet: Fleet, name: string, path: string, auth: () => object, tally: Tally) {
    this.#tally = tally;
    this.#name = name;
    const inbox = new Inbox({
      async deliver({ conversation_id, conversation_seq, encrypted_payload }) {
        const id = Buffer.from(encrypted_payload, "base64").toString("utf8");
        tally.got(name, conversation_id, conversation_seq, id);
      },
      received: (conversation_id, conversation_seq) =>
        void this.#connection.send(
          JSON.stringify({ type: "message.received", conversation_id, conversation_seq }),
        ),
    });
    this.#connection = new Connection({
      open() {
        const living = fleet.living();
        const nth = living[Math.floor(Math.random() * living.length)] ?? 0;
        return frameSocketOf(new WebSocket(fleet.url(nth).replace("http", "ws") + path));
      },
      authFrame: async () => auth(),
      refused: (reason) => {
        tally.wrong.push(`${name} was not let in: ${reason}`);
        return null;
      },
      clock: realClock,
      onFrame: (frame) => {
        if (frame.type === "message.new") inbox.accept(frame);
        else if (frame.type === "message.ack") {
          inbox.note(frame.conversation_id, frame.conversation_seq);
          this.#outbox.acked(frame.client_message_id, frame);
        } else if (frame.type === "message.refused") {
          this.#outbox.refused(frame.client_message_id, frame.error.code, frame.error.params);
        }
      },
      onStatus: (status) => {
        if (status === "connected") this.#outbox.resendAll();
      },
    });
    this.#outbox = new Outbox(
      (text) => this.#connection.send(text),
      (ms, run) => realClock.after(ms, run),
    );
    this.#connection.open();
  }

  /** Keeps so many on their way until `isOver`. */
  talk(conversationId: string, isOver: () => boolean): void {
    if (isOver()) return;
    this.#sent += 1;
    const id = `${this.#name}-${this.#sent}`;
    const next = () => this.talk(conversationId, isOver);
    const encrypted_payload = Buffer.from(id).toString("base64");
    const frame = {
      conversation_id: conversationId,
      content_type: "text",
      encrypted_payload,
    } as const;
    this.#tally.sent(id);
    this.#outbox.post(id, frame, {
      acked: () => {
        this.#tally.acked(id);
        next();
      },
      refused: (code) => {
        this.#tally.refused(id, code);
        realClock.after(200, next);
      },
    });
  }

  close(): void {
    this.#connection.close();
  }
}

/** Nodes, NATS, PostgreSQL and connections to it fail at random while everybody writes to everybody. */
export async function runFleet(
  options: FleetOptions,
  progress: (so: FleetReport & { readonly waiting: number }) => void,
): Promise<FleetReport> {
  const postgres = await OwnPostgres.start();
  if (postgres === undefined) throw new Error("there is no PostgreSQL for this system to kill");
  const fleet = await Fleet.start(3, postgres.url);
  const tally = new Tally();
  const faults: Record<string, number> = {};
  const report = () => ({
    acknowledged: tally.acknowledged,
    delivered: tally.delivered,
    faults,
    wrong: tally.wrong,
  });
  const talkers: Talker[] = [];
  try {
    const owner = new Owner(fleet);
    const began = performance.now();
    const isOver = (): boolean =>
      tally.acknowledged >= options.messages && performance.now() - began > options.seconds * 1_000;
    const added: AddedAgent[] = [];
    for (let nth = 0; nth < AGENTS; nth += 1) added.push(await owner.addAgent());
    const ownerAuth = () => ({ type: "auth", token: fleet.ownerToken(fleet.living()[0] ?? 0) });
    const person = new Talker(fleet, "person", "/ws/human", ownerAuth, tally);
    talkers.push(person);
    for (const { agentId, token, relation } of added) {
      const auth = () => ({ type: "auth", agent_id: agentId, token });
      const agent = new Talker(fleet, agentId, "/ws/agent", auth, tally);
      talkers.push(agent);
      for (let nth = 0; nth < ON_THE_WAY; nth += 1) {
        agent.talk(relation.conversation_id, isOver);
        person.talk(relation.conversation_id, isOver);
      }
    }
    while (!isOver()) {
      await wait(options.faultEveryMs * (0.5 + Math.random()));
      const kind = await fail(fleet, postgres, options.faultEveryMs);
      faults[kind] = (faults[kind] ?? 0) + 1;
      progress({ ...report(), waiting: tally.waiting });
    }
    const settled = performance.now() + SETTLE_MS;
    while (!tally.isSettled && performance.now() < settled) await wait(100);
    tally.wrong.push(...tally.unsettled());
    return report();
  } finally {
    for (const talker of talkers) talker.close();
    await fleet.end();
    await postgres.end();
  }
}

/** @returns what failed, which works again */
async function fail(fleet: Fleet, postgres: OwnPostgres, forMs: number): Promise<string> {
  const nth = Math.floor(Math.random() * fleet.size);
  const chance = Math.random();
  if (chance < 0.2 && fleet.nats !== undefined) {
    await fleet.nats.kill();
    await wait(forMs);
    await fleet.nats.start();
    return "nats killed";
  }
  if (chance < 0.4) {
    const signal = chance < 0.3 ? "SIGKILL" : "SIGINT";
    await postgres.kill(signal);
    await wait(forMs);
    await postgres.start();
    return signal === "SIGKILL" ? "database killed" : "database stopped";
  }
  if (chance < 0.5) {
    await fleet.cutDatabase();
    return "database cut";
  }
  const signal = chance < 0.85 ? "SIGKILL" : "SIGTERM";
  await fleet.endNode(nth, signal);
  await fleet.startNode(nth);
  return signal === "SIGKILL" ? "node killed" : "node drained";
}
