import type { ServerFrame } from "../../app/protocol/v1/frames.ts";
import type { Session, Subject } from "../sessions/session.ts";
import { CLOSE } from "./close-codes.ts";
import type { DeliveryFeed } from "./delivery-feed.ts";

interface Connection {
  readonly session: Session;
  readonly feed: DeliveryFeed;
}

/** Who is connected now. An agent has one connection, a person may have several. */
export class Connections {
  readonly #bySubject = new Map<string, Map<Session, DeliveryFeed>>();
  /** Agents that the hub calls: they are there without a connection. */
  readonly #called = new Set<string>();

  /** @returns true when the subject was not connected before */
  add(subject: Subject, { session, feed }: Connection): boolean {
    const before = this.#bySubject.get(subject.id) ?? new Map<Session, DeliveryFeed>();
    const isFirst = before.size === 0;
    const replaced = subject.type === "agent" ? [...before.keys()] : [];
    before.set(session, feed);
    this.#bySubject.set(subject.id, before);
    // Closed only after the new one counts, so that presence does not flicker.
    for (const old of replaced) old.close(CLOSE.replaced);
    return isFirst;
  }

  setCalled(agentId: string, isCalled: boolean): void {
    if (isCalled) this.#called.add(agentId);
    else this.#called.delete(agentId);
  }

  closeAll(subjectId: string, code: number): void {
    for (const session of [...(this.#bySubject.get(subjectId)?.keys() ?? [])]) session.close(code);
  }

  /** @returns true when it was the subject's last connection */
  remove(subject: Subject, session: Session): boolean {
    const sessions = this.#bySubject.get(subject.id);
    sessions?.get(session)?.end();
    sessions?.delete(session);
    if (sessions === undefined || sessions.size > 0) return false;
    return this.#bySubject.delete(subject.id);
  }

  isOnline(subjectId: string): boolean {
    return this.#bySubject.has(subjectId) || this.#called.has(subjectId);
  }

  send(subjectId: string, frame: ServerFrame): void {
    if (this.#bySubject.has(subjectId)) this.sendText(subjectId, JSON.stringify(frame));
  }

  /** @param but the connection that has it already */
  sendText(subjectId: string, frame: string, but?: Session): void {
    const sessions = this.#bySubject.get(subjectId);
    if (sessions === undefined) return;
    for (const session of sessions.keys()) if (session !== but) session.line.send(frame);
  }

  /** For frames that are worth nothing later: a reader that is behind does not get them. */
  sendTransient(subjectId: string, frame: string): void {
    const sessions = this.#bySubject.get(subjectId);
    if (sessions === undefined) return;
    for (const [session, feed] of sessions) if (!feed.isCongested()) session.line.send(frame);
  }

  /** What was held back for this subject may be delivered now. */
  lookAgain(subjectId: string): void {
    for (const feed of this.#bySubject.get(subjectId)?.values() ?? []) feed.lookAgain();
  }

  offer(subjectId: string, deliveryId: number, frame: string): void {
    const sessions = this.#bySubject.get(subjectId);
    if (sessions === undefined) return;
    for (const feed of sessions.values()) feed.offer(deliveryId, frame);
  }
}
