import { assertNever } from "../../app/contract/assert-never.ts";
import type {
  AuthFrame,
  ClientFrame,
  MessageSendFrame,
  NotLetIn,
  ServerFrame,
} from "../../app/protocol/v1/frames.ts";
import { type Conversations, conversationFrames } from "../conversations/conversations.ts";
import { errorBody, faultOf, isRefusal, isUnavailable } from "../hub-error.ts";
import type { Log, Scheduler } from "../hub-options.ts";
import type { Snapshot, Subject, SubjectOf } from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import { keyFrames } from "../keys/key-directory.ts";
import { Connection, type Connections } from "../lines/connections.ts";
import { DeliveryFeed } from "../lines/delivery-feed.ts";
import { CLOSE } from "../lines/line.ts";
import type { Messages } from "../messages/messages.ts";
import type { Pairings } from "../pairing/pairings.ts";
import { isRemoved, relationFrames } from "../relations/relation-frames.ts";
import type { Relations } from "../relations/relations.ts";
import type { Session, SessionHost } from "./session.ts";

/** The endpoint of a connection. `agentId` is that of `/ws/agent?agent_id=`, if given. */
export type Entrance =
  | { readonly kind: "human" }
  | { readonly kind: "agent"; readonly agentId: string | undefined };

export interface SessionParts {
  readonly storage: Pick<HubStorage, "nodes" | "snapshot" | "undelivered" | "forgetFullHistories">;
  readonly connections: Connections;
  readonly relations: Relations;
  readonly pairings: Pairings;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly subjectOf: SubjectOf;
  /** Whether somebody has this id who may use the hub. */
  readonly isPerson: (userId: string) => Promise<boolean>;
  readonly inTurn: SessionHost["inTurn"];
  readonly received: (connection: Connection, frame: ClientFrame) => Promise<void>;
}

/** Handles the connections of one endpoint. */
export function sessionHost(
  parts: SessionParts,
  entrance: Entrance,
  ended: (session: Session) => void,
): SessionHost {
  const { storage, connections, relations, scheduler, log, received } = parts;
  const failed = (error: unknown) => log({ code: "session_failed", fault: faultOf(error) });
  return {
    inTurn: parts.inTurn,
    authenticate: (frame) => authenticate(parts, entrance, frame),
    connect(session, subject) {
      const { line } = session;
      const fail = (error: unknown) => session.fail(error);
      const isCounted = storage.nodes !== null;
      const feed = new DeliveryFeed(line, subject.id, storage, scheduler, fail, isCounted);
      return new Connection(subject, line, feed, session);
    },
    snapshot: (connection) => snapshotOf(parts, connection),
    received,
    closed(connection) {
      const { id, type } = connection.subject;
      const gone = async (): Promise<void> => {
        const wasLast = await connections.remove(connection);
        // An agent that the hub now calls is still there.
        const isGone = wasLast && type === "agent" && !(await connections.isOnline(id));
        if (isGone) await relations.announcePresence(id);
      };
      gone().catch(failed);
    },
    failed,
    ended,
  };
}

async function authenticate(
  { subjectOf, connections }: SessionParts,
  entrance: Entrance,
  { token, agent_id }: AuthFrame,
): Promise<Subject | NotLetIn> {
  try {
    const subject = await subjectOf(token, entrance.kind === "human" ? "person" : "member");
    if (subject.type !== entrance.kind) return "invalid_token";
    if (entrance.kind === "human") return subject;
    const id = agent_id ?? entrance.agentId;
    const isNamed = id === subject.id && (entrance.agentId ?? id) === id;
    if (!isNamed) return "invalid_token";
    return connections.isCalled(id) ? "webhook_mode" : subject;
  } catch (error) {
    // Whose database is away cannot tell a token from another, and does not say that it is wrong.
    if (!isRefusal(error) || isUnavailable(error)) throw error;
    return error.code === "AGENT_REMOVED" ? "agent_removed" : "invalid_token";
  }
}

/** The connection counts before this is read, so that no change falls between the two. */
async function snapshotOf(
  parts: SessionParts,
  connection: Connection,
): Promise<readonly ServerFrame[] | NotLetIn> {
  const { storage, connections, relations, pairings } = parts;
  const { id, type } = connection.subject;
  const isFirst = await connections.add(connection);
  if (type === "human" && isFirst) await storage.forgetFullHistories(id);
  const snapshot = await snapshotNow(parts, connection.subject);
  if (type === "human" || typeof snapshot === "string") return snapshot;
  await pairings.agentAuthenticated(id);
  if (isFirst) await relations.announcePresence(id);
  return snapshot;
}

/** The state, of which a present connection may have missed a part, and what holds back its messages. */
export async function resync(parts: SessionParts, connection: Connection): Promise<void> {
  const { subject, session, feed } = connection;
  const isLetIn = subject.type === "agent" || (await parts.isPerson(subject.id));
  const snapshot = await snapshotNow(parts, subject);
  if (!isLetIn || typeof snapshot === "string") return session.close(CLOSE.authFailed);
  for (const frame of snapshot) connection.send(JSON.stringify(frame));
  feed.lookAgain();
}

async function snapshotNow(
  { storage, connections, pairings }: SessionParts,
  subject: Subject,
): Promise<readonly ServerFrame[] | NotLetIn> {
  const { id, type } = subject;
  const snapshot = await storage.snapshot(subject);
  if (type === "human") {
    const agents = snapshot.relations.map(({ agent_id }) => agent_id);
    const online = await connections.online(agents);
    const waiting = await pairings.waiting(id);
    return [...personFrames(snapshot, online, waiting), ...ofBoth(id, snapshot)];
  }
  // What happened while the token was checked.
  if (isRemoved(snapshot.relations)) return "agent_removed";
  if (connections.isCalled(id)) return "webhook_mode";
  const related = snapshot.relations.flatMap((each) => relationFrames(each, "agent"));
  return [...related, ...ofBoth(id, snapshot)];
}

const ofBoth = (id: string, snapshot: Snapshot): readonly ServerFrame[] => [
  ...conversationFrames(id, snapshot.conversations),
  ...keyFrames(snapshot),
];

function* personFrames(
  { relations, notices }: Snapshot,
  online: ReadonlySet<string>,
  waiting: Awaited<ReturnType<Pairings["waiting"]>>,
): Generator<ServerFrame> {
  for (const relation of relations) {
    yield* relationFrames(relation, "human");
    const { agent_id, status } = relation;
    if (status === "active") {
      yield { type: "agent.presence", agent_id, online: online.has(agent_id) };
    }
  }
  for (const payload of waiting) yield { type: "pairing.requested", payload };
  yield* notices;
}

interface FrameParts {
  readonly storage: Pick<HubStorage, "received" | "noticeReceived" | "setHistoryFull">;
  readonly messages: Messages;
  readonly conversations: Conversations;
}

/** What each frame of an authenticated connection does. */
export async function routeFrame(
  { storage, messages, conversations }: FrameParts,
  connection: Connection,
  frame: ClientFrame,
): Promise<void> {
  const { subject } = connection;
  switch (frame.type) {
    case "message.send":
      return answerSend(messages, connection, frame);
    case "message.received":
      // What cannot be stored here is sent again: after the next connect, or once the database is back.
      return storage
        .received(subject.id, frame.conversation_id, frame.conversation_seq)
        .catch((error: unknown) => {
          if (isUnavailable(error)) connection.feed.lookAgain();
        });
    case "message.read": {
      const { conversation_id, seq } = frame;
      // A refused read mark is not reported.
      await conversations
        .markRead(subject, conversation_id, seq, connection)
        .catch(() => undefined);
      return;
    }
    case "notice.received":
      if (subject.type !== "human") return;
      return storage.noticeReceived(subject.id, frame.notice_id).catch(() => undefined);
    case "history.full":
      if (subject.type !== "human") return;
      return storage.setHistoryFull(subject.id, frame.agent_id, frame.full);
    case "stream.start":
    case "stream.delta":
    case "stream.done":
    case "stream.abort":
      return messages.relayStream(subject, frame);
    case "typing.start":
    case "typing.stop":
      return messages.relayTyping(subject, frame);
    case "pong":
      return;
    default:
      assertNever(frame);
  }
}

async function answerSend(messages: Messages, connection: Connection, frame: MessageSendFrame) {
  const { client_message_id } = frame;
  const answer = await messages.send(connection.subject, frame).then(
    (receipt) => ({ type: "message.ack", client_message_id, ...receipt }) as const,
    (error: unknown) => {
      if (!isRefusal(error)) throw error;
      const { code, details: params = {} } = error;
      const { retry_after_ms } = params;
      if (typeof retry_after_ms === "number") connection.session.holdBack(retry_after_ms);
      return {
        type: "message.refused",
        client_message_id,
        error: errorBody(code, params),
      } as const;
    },
  );
  connection.send(JSON.stringify(answer));
}
