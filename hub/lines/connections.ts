import type { ServerFrame } from "../../app/protocol/v1/frames.ts";
import { faultOf } from "../hub-error.ts";
import type { Beat, Nodes, Wake, Wakes } from "../hub-nodes.ts";
import type { Log, Scheduler } from "../hub-options.ts";
import type { Subject } from "../hub-records.ts";
import type { DeliveryFeed } from "./delivery-feed.ts";
import { CLOSE, type Line } from "./line.ts";
import { OtherNodes } from "./other-nodes.ts";

interface ConnectionSession {
  close(code: number): void;
  /** What comes next is read a little later, but at the latest after this time. */
  holdBack(mostMs: number): void;
}

/** One open connection. Frames to it wait until it has been sent the current state. */
export class Connection {
  readonly subject: Subject;
  readonly feed: DeliveryFeed;
  readonly session: ConnectionSession;
  /** Grows with each connection of the subject to any node; undefined until it is known. */
  ordinal: number | undefined;
  readonly #line: Line;
  #held: string[] | undefined = [];

  constructor(subject: Subject, line: Line, feed: DeliveryFeed, session: ConnectionSession) {
    this.subject = subject;
    this.feed = feed;
    this.#line = line;
    this.session = session;
  }

  send(frame: string): void {
    if (this.#held === undefined) this.#line.send(frame);
    else this.#held.push(frame);
  }

  begin(snapshot: readonly ServerFrame[]): void {
    for (const frame of snapshot) this.#line.send(JSON.stringify(frame));
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const frame of held) this.#line.send(frame);
    this.feed.begin();
  }
}

/** How often a node looks for what it was not woken for, in milliseconds. */
const BEAT_MS = 5_000;

/** The present connections, to this node and to others. An agent has one, a person may have several. */
export class Connections {
  readonly #bySubject = new Map<string, Set<Connection>>();
  /** Agents that the hub calls, which count as online without a connection. */
  readonly #called = new Set<string>();
  readonly #nodes: Nodes | null;
  readonly #others: OtherNodes | null;
  readonly #log: Log;
  /** What is known of each subject here. */
  readonly #known = new Map<string, Known>();
  #cancelBeat: () => void = () => undefined;
  /** Sends a connection everything anew: changes may have been lost on their way from another node. */
  resync: (connection: Connection) => Promise<void> = async () => undefined;
  /** The agent's connection ended with the node it was to. */
  left: (agentId: string) => Promise<void> = async () => undefined;
  /** The hub may call this agent, or no longer. */
  calledChanged: (agentId: string) => Promise<void> = async () => undefined;
  /** Something waits for an agent that the hub calls. */
  laneWaits: (agentId: string, conversationId: string) => void = () => undefined;

  constructor(nodes: Nodes | null, wakes: Wakes | null, log: Log) {
    this.#nodes = nodes;
    this.#log = log;
    this.#others = nodes === null || wakes === null ? null : new OtherNodes(nodes, wakes, log);
    wakes?.onWake((recipients) => {
      for (const each of recipients) this.#woken(each);
    });
  }

  /** Looks now and then for what other nodes could not say. */
  async begin(scheduler: Scheduler): Promise<void> {
    if (this.#nodes === null) return;
    const beat = async (): Promise<void> => {
      await this.#beat().catch((error: unknown) => {
        this.#log({ code: "beat_failed", fault: faultOf(error) });
      });
      if (this.#cancelBeat !== ENDED) this.#cancelBeat = scheduler.after(BEAT_MS, beat);
    };
    await beat();
  }

  end(): void {
    this.#cancelBeat();
    this.#cancelBeat = ENDED;
  }

  /** @returns true when the subject was not connected before */
  async add(connection: Connection): Promise<boolean> {
    const { id, type } = connection.subject;
    const before = this.#of(id);
    this.#bySubject.set(id, new Set([...before, connection]));
    // Closed only after the new one is registered, so that presence does not flicker.
    if (type === "agent") for (const old of before) old.session.close(CLOSE.replaced);
    if (this.#nodes === null) return before.size === 0;
    const known = this.#known.get(id) ?? { told: 0, missed: 0, replacedBefore: 0 };
    this.#known.set(id, known);
    const { ordinal, revision, elsewhere } = await this.#nodes.enter(id);
    connection.ordinal = ordinal;
    if (before.size === 0) known.told = revision;
    if (ordinal < known.replacedBefore) connection.session.close(CLOSE.replaced);
    if (type === "agent") {
      this.#others?.wake(elsewhere, { id, close: CLOSE.replaced, before: ordinal });
    }
    // It has ended meanwhile, and did not know its number.
    if (!this.#bySubject.has(id)) await this.#nodes.leave(id, ordinal);
    return before.size === 0 && elsewhere.length === 0;
  }

  setCalled(agentId: string, isCalled: boolean): void {
    if (isCalled) this.#called.add(agentId);
    else this.#called.delete(agentId);
  }

  /** Other nodes look up how the agent is reached now. */
  async announceCalled(id: string): Promise<void> {
    await this.#others?.wakeEverywhere({ id, called: true });
  }

  isCalled(agentId: string): boolean {
    return this.#called.has(agentId);
  }

  closeAll(id: string, code: number): void {
    for (const connection of [...this.#of(id)]) connection.session.close(code);
    this.#others?.tell({ kind: "close", id, close: code });
  }

  /** @returns true when it was the subject's last connection */
  async remove(connection: Connection): Promise<boolean> {
    const { id } = connection.subject;
    connection.feed.end();
    const left = this.#bySubject.get(id);
    left?.delete(connection);
    if (left === undefined || left.size > 0 || !this.#bySubject.delete(id)) return false;
    this.#known.delete(id);
    if (this.#nodes === null) return true;
    if (connection.ordinal === undefined) return false;
    return !(await this.#nodes.leave(id, connection.ordinal));
  }

  isConnected(subjectId: string): boolean {
    return this.#bySubject.has(subjectId);
  }

  get size(): number {
    return this.#bySubject.size;
  }

  /** Those of them who can be reached: connected anywhere, or called. */
  async online(subjectIds: readonly string[]): Promise<ReadonlySet<string>> {
    const here = (id: string): boolean => this.#bySubject.has(id) || this.#called.has(id);
    const elsewhere = subjectIds.filter((id) => !here(id));
    const found = elsewhere.length > 0 ? await this.#nodes?.connected(elsewhere) : undefined;
    return new Set(subjectIds.filter((id) => here(id) || found?.has(id)));
  }

  async isOnline(subjectId: string): Promise<boolean> {
    return (await this.online([subjectId])).has(subjectId);
  }

  send(subjectId: string, frame: ServerFrame): void {
    if (this.#others !== null || this.#bySubject.has(subjectId)) {
      this.sendText(subjectId, JSON.stringify(frame));
    }
  }

  /** @param but the connection that already has it */
  sendText(id: string, frame: string, but?: Connection): void {
    for (const connection of this.#of(id)) if (connection !== but) connection.send(frame);
    this.#others?.tell({ kind: "change", id, frame });
  }

  /** For frames that are useless later: a reader that is behind does not get them. */
  sendTransient(id: string, frame: string): void {
    this.#sendTransientHere(id, frame);
    this.#others?.tell({ kind: "transient", id, frame });
  }

  /** What was held back for this subject may be delivered now. */
  async lookAgain(id: string): Promise<void> {
    for (const { feed } of this.#of(id)) feed.lookAgain();
    const reached = (await this.#nodes?.reach([id], false)) ?? [];
    this.#others?.wake(
      reached.map(({ node_id }) => node_id),
      { id, upTo: 0 },
    );
  }

  /** @param nodeIds other nodes that the subject is connected to */
  offer(id: string, deliveryId: number, frame: string, nodeIds: readonly string[] = []): void {
    for (const { feed } of this.#of(id)) feed.offer(deliveryId, frame);
    this.#others?.wake(nodeIds, { id, upTo: deliveryId });
  }

  #sendTransientHere(id: string, frame: string): void {
    for (const connection of this.#of(id)) {
      if (!connection.feed.isCongested()) connection.send(frame);
    }
  }

  #woken(wake: Wake): void {
    if ("upTo" in wake) this.#lookUpTo(wake.id, wake.upTo);
    else if ("called" in wake) this.calledChanged(wake.id).catch(() => undefined);
    else {
      if (wake.revision !== undefined) this.#told(wake.id, wake.revision);
      if ("close" in wake) this.#close(wake);
      else for (const frame of wake.frames) this.#sendHere(wake, frame);
    }
  }

  #lookUpTo(id: string, upTo: number): void {
    for (const { feed } of this.#of(id)) {
      if (upTo === 0) feed.lookAgain();
      else feed.look(upTo);
    }
  }

  #close({ id, close, before }: Extract<Wake, { readonly close: number }>): void {
    const known = this.#known.get(id);
    if (known !== undefined && before !== undefined) known.replacedBefore = before;
    for (const each of [...this.#of(id)]) {
      const isMeant = before === undefined || (each.ordinal ?? before) < before;
      if (isMeant) each.session.close(close);
    }
  }

  #sendHere({ id, revision }: Extract<Wake, { readonly frames: object }>, frame: string): void {
    if (revision === undefined) this.#sendTransientHere(id, frame);
    else for (const connection of this.#of(id)) connection.send(frame);
  }

  #told(id: string, revision: number): void {
    const own = this.#known.get(id);
    if (own !== undefined && revision === own.told + 1) own.told = revision;
  }

  async #beat(): Promise<void> {
    const { here, left } = (await this.#nodes?.beat([...this.#bySubject.keys()])) ?? NO_BEAT;
    this.#others?.tellOn();
    for (const each of here) await this.#catchUp(each);
    for (const id of left) if (!(await this.isOnline(id))) await this.left(id);
    for (const lane of (await this.#nodes?.idleLanes()) ?? []) {
      this.laneWaits(lane.agent_id, lane.conversation_id);
    }
  }

  async #catchUp({ subject_id: id, ordinal, revision, last_delivery }: Beat["here"][number]) {
    // It ended while the database was away.
    if (!this.#bySubject.has(id)) await this.#nodes?.leave(id, ordinal);
    for (const { feed } of this.#of(id)) feed.look(last_delivery);
    const known = this.#known.get(id);
    if (known === undefined || revision <= known.told) return;
    // A change may be on its way; one that was missed at the last look too is lost.
    if (known.missed <= known.told) known.missed = revision;
    else {
      known.told = revision;
      for (const connection of this.#of(id)) await this.resync(connection);
    }
  }

  #of(subjectId: string): ReadonlySet<Connection> {
    return this.#bySubject.get(subjectId) ?? NONE;
  }
}

interface Known {
  /** The last change that the subject was told of here. */
  told: number;
  /** One that it had yet to be told of at the last look; 0: none. */
  missed: number;
  /** An agent's connections with smaller ordinals have been replaced on another node. */
  replacedBefore: number;
}

const NONE: ReadonlySet<Connection> = new Set();
const NO_BEAT = { here: [], left: [] };
const ENDED = (): void => undefined;
