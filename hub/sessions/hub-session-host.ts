import type { AuthFrame } from "../../app/protocol/v1/frames.ts";
import type { HubParts } from "../hub-parts.ts";
import type { Pairings } from "../pairing/pairings.ts";
import { relationFrame } from "../relations/relations.ts";
import { faultOf } from "../storage/group-commit.ts";
import { matchesTokenHash } from "../tokens/bearer-token.ts";
import { DeliveryFeed } from "./delivery-feed.ts";
import { routeFrame } from "./route-frame.ts";
import type { Session, SessionHost, Subject } from "./session.ts";

/** Where a connection came in. `agentId` is what `/ws/agent?agent_id=` named, if anything. */
export type Entrance =
  | { readonly kind: "human" }
  | { readonly kind: "agent"; readonly agentId: string | undefined };

/** What connections of one entrance mean to the hub. */
export function sessionHost(
  parts: HubParts,
  pairings: Pairings,
  entrance: Entrance,
  ended: (session: Session) => void,
): SessionHost {
  return {
    authenticate: async (frame) =>
      entrance.kind === "human"
        ? authenticateHuman(parts, frame)
        : authenticateAgent(parts, frame, entrance.agentId),
    opened: (session, subject) => opened(parts, pairings, session, subject),
    received: (session, subject, frame) => routeFrame(parts, session, subject, frame),
    closed(session, subject) {
      const wasLast = parts.connections.remove(subject, session);
      if (wasLast && subject.type === "agent") announcePresence(parts, subject.id, false);
    },
    failed: (error) => parts.log({ code: "session_failed", fault: faultOf(error) }),
    ended,
  };
}

async function authenticateHuman(parts: HubParts, frame: AuthFrame): Promise<Subject | undefined> {
  const id = await parts.accessTokens.verify(frame.token);
  return id === parts.userId ? { id, type: "human" } : undefined;
}

function authenticateAgent(
  parts: HubParts,
  frame: AuthFrame,
  named: string | undefined,
): Subject | undefined {
  const id = frame.agent_id ?? named;
  if (id === undefined || (named !== undefined && named !== id)) return undefined;
  const agent = parts.agents.find(id);
  if (agent === undefined || !matchesTokenHash(frame.token, agent.token_hash)) return undefined;
  return { id, type: "agent" };
}

function opened(parts: HubParts, pairings: Pairings, session: Session, subject: Subject): void {
  // What was sent before this moment is in the store when the feed looks.
  parts.commits.flush();
  const { messages, scheduler } = parts;
  const feed = new DeliveryFeed(session.line, subject.id, messages, scheduler, (error) =>
    session.fail(error),
  );
  const isFirst = parts.connections.add(subject, { session, feed });
  if (subject.type === "agent") {
    pairings.agentAuthenticated(subject.id);
    for (const relation of parts.relations.activeOfAgent(subject.id)) {
      session.send(relationFrame("relation.established", relation));
    }
    if (isFirst) announcePresence(parts, subject.id, true);
  } else {
    sendPersonSnapshot(parts, pairings, session, subject.id);
  }
  feed.begin();
}

function sendPersonSnapshot(
  parts: HubParts,
  pairings: Pairings,
  session: Session,
  userId: string,
): void {
  for (const { agent_id, status } of parts.relations.ofUser(userId)) {
    if (status !== "active") continue;
    session.send({
      type: "agent.presence",
      agent_id,
      online: parts.connections.isOnline(agent_id),
    });
  }
  for (const payload of pairings.waiting()) session.send({ type: "pairing.requested", payload });
  for (const notice of parts.notices.waiting(userId)) session.send(notice);
}

function announcePresence(parts: HubParts, agentId: string, online: boolean): void {
  for (const { user_id } of parts.relations.activeOfAgent(agentId)) {
    parts.connections.send(user_id, { type: "agent.presence", agent_id: agentId, online });
  }
}
