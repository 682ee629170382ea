import type {
  AuthFrame,
  ClientFrame,
  NotLetIn,
  ServerFrame,
} from "../../app/protocol/v1/frames.ts";
import { conversationFrames } from "../conversations/conversation-frames.ts";
import { faultOf } from "../hub-error.ts";
import type { Log, Scheduler } from "../hub-options.ts";
import type { Standing, Subject } from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import { keyFrames } from "../keys/key-directory.ts";
import type { FullHistories } from "../limits/full-histories.ts";
import { Connection, type Connections } from "../lines/connections.ts";
import { DeliveryFeed } from "../lines/delivery-feed.ts";
import type { Pairings } from "../pairing/pairings.ts";
import { Refusal } from "../refusal.ts";
import type { SubjectOf } from "../registry/subject-of.ts";
import { isRemoved, relationFrames } from "../relations/relation-frames.ts";
import type { Relations } from "../relations/relations.ts";
import type { Session, SessionHost } from "./session.ts";

/** The endpoint of a connection. `agentId` is that of `/ws/agent?agent_id=`, if given. */
export type Entrance =
  | { readonly kind: "human" }
  | { readonly kind: "agent"; readonly agentId: string | undefined };

export interface SessionParts {
  readonly storage: Pick<HubStorage, "standing" | "undelivered">;
  readonly connections: Connections;
  readonly relations: Relations;
  readonly pairings: Pairings;
  readonly fullHistories: FullHistories;
  readonly scheduler: Scheduler;
  readonly log: Log;
  readonly subjectOf: SubjectOf;
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
    authenticate: (frame) => authenticate(parts, entrance, frame),
    connect(session, subject) {
      const { line } = session;
      const feed = new DeliveryFeed(line, subject.id, storage, scheduler, (error) =>
        session.fail(error),
      );
      return new Connection(subject, line, feed, session);
    },
    standing: (connection) => standingOf(parts, connection),
    received,
    closed(connection) {
      const { id, type } = connection.subject;
      const wasLast = connections.remove(connection);
      // An agent that the hub now calls is still there.
      const isGone = wasLast && type === "agent" && !connections.isOnline(id);
      if (isGone) relations.announcePresence(id).catch(failed);
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
    if (!(error instanceof Refusal)) throw error;
    return error.code === "AGENT_REMOVED" ? "agent_removed" : "invalid_token";
  }
}

/** The connection counts before this is read, so that no change falls between the two. */
async function standingOf(
  { storage, connections, relations, pairings, fullHistories }: SessionParts,
  connection: Connection,
): Promise<readonly ServerFrame[] | NotLetIn> {
  const { id, type } = connection.subject;
  const isFirst = connections.add(connection);
  const standing = await storage.standing(connection.subject);
  if (type === "human") {
    if (isFirst) fullHistories.forget(id);
    return [...personFrames(standing, connections, pairings), ...ofBoth(id, standing)];
  }
  // What happened while the token was checked.
  if (isRemoved(standing.relations)) return "agent_removed";
  if (connections.isCalled(id)) return "webhook_mode";
  pairings.agentAuthenticated(id);
  if (isFirst) await relations.announcePresence(id);
  const related = standing.relations.flatMap((each) => relationFrames(each, "agent"));
  return [...related, ...ofBoth(id, standing)];
}

const ofBoth = (id: string, standing: Standing): readonly ServerFrame[] => [
  ...conversationFrames(id, standing.conversations),
  ...keyFrames(standing),
];

function* personFrames(
  { relations, notices }: Standing,
  connections: Connections,
  pairings: Pairings,
): Generator<ServerFrame> {
  for (const relation of relations) {
    yield* relationFrames(relation, "human");
    const { agent_id, status } = relation;
    const online = connections.isOnline(agent_id);
    if (status === "active") yield { type: "agent.presence", agent_id, online };
  }
  for (const payload of pairings.waiting()) yield { type: "pairing.requested", payload };
  yield* notices;
}
