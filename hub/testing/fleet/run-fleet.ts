import { setTimeout as wait } from "node:timers/promises";
import { WebSocket } from "ws";
import { Connection } from "../../../app/protocol/link/connection.ts";
import { Inbox } from "../../../app/protocol/link/inbox.ts";
import { Outbox } from "../../../app/protocol/link/outbox.ts";
import { frameSocketOf } from "../../../app/protocol/link/web-socket.ts";
import { realClock } from "../../../sdk/options.ts";
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
const SETTLE_MS = 60_000;

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
  /** Acknowledged and not delivered yet, or the other way round. */
  readonly #open = new Map<string, "acknowledged" | "delivered">();
  readonly #lastSeq = new Map<string, number>();
  readonly #seen = new Set<string>();

  acked(id: string): void {
    this.acknowledged += 1;
    this.#note(id, "acknowledged");
  }

  got(reader: string, conversationId: string, seq: number, id: string): void {
    this.delivered += 1;
    if (this.#seen.has(id)) this.wrong.push(`${id} came twice`);
    this.#seen.add(id);
    const place = `${reader} ${conversationId}`;
    const last = this.#lastSeq.get(place) ?? 0;
    if (seq <= last) this.wrong.push(`${seq} came after ${last} in ${conversationId}`);
    this.#lastSeq.set(place, seq);
    this.#note(id, "delivered");
  }

  #note(id: string, what: "acknowledged" | "delivered"): void {
    const before = this.#open.get(id);
    if (before === undefined) this.#open.set(id, what);
    else if (before !== what) this.#open.delete(id);
  }

  get waiting(): number {
    return [...this.#open.values()].filter((what) => what === "acknowledged").length;
  }

  undelivered(): string[] {
    return [...this.#open].filter(([, what]) => what === "acknowledged").map(([id]) => id);
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
      refused: () => null,
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
    this.#outbox.post(id, frame, {
      acked: () => {
        this.#tally.acked(id);
        next();
      },
      refused: (code) => {
        // Nothing waits forever: a full queue empties, and limits pass.
        const mayPass = code === "RECIPIENT_QUEUE_FULL" || code === "RATE_LIMITED";
        if (!mayPass) this.#tally.wrong.push(`${id} was refused: ${code}`);
        realClock.after(200, next);
      },
    });
  }

  close(): void {
    this.#connection.close();
  }
}

/** Nodes, NATS and connections to PostgreSQL fail at random while everybody writes to everybody. */
export async function runFleet(
  options: FleetOptions,
  progress: (so: FleetReport & { readonly waiting: number }) => void,
): Promise<FleetReport> {
  const fleet = await Fleet.start(3);
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
      const kind = await fail(fleet, options.faultEveryMs);
      faults[kind] = (faults[kind] ?? 0) + 1;
      progress({ ...report(), waiting: tally.waiting });
    }
    const settled = performance.now() + SETTLE_MS;
    while (tally.waiting > 0 && performance.now() < settled) await wait(100);
    for (const id of tally.undelivered()) tally.wrong.push(`${id} was lost`);
    return report();
  } finally {
    for (const talker of talkers) talker.close();
    await fleet.end();
  }
}

/** @returns what failed, which works again */
async function fail(fleet: Fleet, forMs: number): Promise<string> {
  const nth = Math.floor(Math.random() * fleet.size);
  const chance = Math.random();
  if (chance < 0.25 && fleet.hasNats) {
    await fleet.killNats();
    await wait(forMs);
    await fleet.startNats();
    return "nats killed";
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
