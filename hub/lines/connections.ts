import type { ServerFrame } from "../../app/protocol/v1/frames.ts";
import type { Subject } from "../hub-records.ts";
import type { DeliveryFeed } from "./delivery-feed.ts";
import { CLOSE, type Line } from "./line.ts";

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

  begin(standing: readonly ServerFrame[]): void {
    for (const frame of standing) this.#line.send(JSON.stringify(frame));
    const held = this.#held ?? [];
    this.#held = undefined;
    for (const frame of held) this.#line.send(frame);
    this.feed.begin();
  }
}

/** The present connections. An agent has one, a person may have several. */
export class Connections {
  readonly #bySubject = new Map<string, Set<Connection>>();
  /** Agents that the hub calls, which count as online without a connection. */
  readonly #called = new Set<string>();

  /** @returns true when the subject was not connected before */
  add(connection: Connection): boolean {
    const { id, type } = connection.subject;
    const before = this.#of(id);
    this.#bySubject.set(id, new Set([...before, connection]));
    // Closed only after the new one is registered, so that presence does not flicker.
    if (type === "agent") for (const old of before) old.session.close(CLOSE.replaced);
    return before.size === 0;
  }

  setCalled(agentId: string, isCalled: boolean): void {
    if (isCalled) this.#called.add(agentId);
    else this.#called.delete(agentId);
  }

  isCalled(agentId: string): boolean {
    return this.#called.has(agentId);
  }

  closeAll(subjectId: string, code: number): void {
    for (const connection of [...this.#of(subjectId)]) connection.session.close(code);
  }

  /** @returns true when it was the subject's last connection */
  remove(connection: Connection): boolean {
    const { id } = connection.subject;
    connection.feed.end();
    const left = this.#bySubject.get(id);
    left?.delete(connection);
    if (left === undefined || left.size > 0) return false;
    return this.#bySubject.delete(id);
  }

  isConnected(subjectId: string): boolean {
    return this.#bySubject.has(subjectId);
  }

  isOnline(subjectId: string): boolean {
    return this.#bySubject.has(subjectId) || this.#called.has(subjectId);
  }

  send(subjectId: string, frame: ServerFrame): void {
    if (this.#bySubject.has(subjectId)) this.sendText(subjectId, JSON.stringify(frame));
  }

  /** @param but the connection that already has it */
  sendText(subjectId: string, frame: string, but?: Connection): void {
    for (const connection of this.#of(subjectId)) if (connection !== but) connection.send(frame);
  }

  /** For frames that are useless later: a reader that is behind does not get them. */
  sendTransient(subjectId: string, frame: string): void {
    for (const connection of this.#of(subjectId)) {
      if (!connection.feed.isCongested()) connection.send(frame);
    }
  }

  /** What was held back for this subject may be delivered now. */
  lookAgain(subjectId: string): void {
    for (const { feed } of this.#of(subjectId)) feed.lookAgain();
  }

  offer(subjectId: string, deliveryId: number, frame: string): void {
    for (const { feed } of this.#of(subjectId)) feed.offer(deliveryId, frame);
  }

  #of(subjectId: string): ReadonlySet<Connection> {
    return this.#bySubject.get(subjectId) ?? NONE;
  }
}

const NONE: ReadonlySet<Connection> = new Set();
