import type { AuthFrame, NotLetIn } from "../../app/protocol/v1/frames.ts";
import { conversationStanding } from "../conversations/announce-group.ts";
import type { HubParts } from "../hub-parts.ts";
import { keysStanding } from "../keys/key-directory.ts";
import { DeliveryFeed } from "../lines/delivery-feed.ts";
import type { Pairings } from "../pairing/pairings.ts";
import { relationStanding } from "../relations/announce-relation.ts";
import { isRemoved } from "../relations/removed.ts";
import { faultOf } from "../storage/group-commit.ts";
import { matchesTokenHash } from "../tokens/bearer-token.ts";
import { announcePresence } from "./announce-presence.ts";
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
      // An agent that the hub now calls is still there.
      const isGone = wasLast && !parts.connections.isOnline(subject.id);
      if (isGone && subject.type === "agent") announcePresence(parts, subject.id);
    },
    failed: (error) => parts.log({ code: "session_failed", fault: faultOf(error) }),
    ended,
  };
}

async function authenticateHuman(
  parts: HubParts,
  frame: AuthFrame,
): Promise<Subject | "invalid_token"> {
  const id = await parts.accessTokens.verify(frame.token);
  return id === parts.userId ? { id, type: "human" } : "invalid_token";
}

function authenticateAgent(
  parts: HubParts,
  frame: AuthFrame,
  named: string | undefined,
): Subject | NotLetIn {
  const id = frame.agent_id ?? named;
  if (id === undefined || (named !== undefined && named !== id)) return "invalid_token";
  const agent = parts.agents.find(id);
  if (agent === undefined || !matchesTokenHash(frame.token, agent.token_hash)) {
    return "invalid_token";
  }
  if (isRemoved(parts, id)) return "agent_removed";
  return parts.webhooks.has(id) ? "webhook_mode" : { id, type: "agent" };
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
    for (const relation of parts.relations.ofAgent(subject.id)) {
      for (const frame of relationStanding(parts, relation, "agent")) session.send(frame);
    }
    if (isFirst) announcePresence(parts, subject.id);
  } else {
    sendPersonSnapshot(parts, pairings, session, subject.id);
  }
  for (const frame of conversationStanding(parts, subject.id)) session.send(frame);
  for (const frame of keysStanding(parts, subject.id)) session.send(frame);
  feed.begin();
}

function sendPersonSnapshot(
  parts: HubParts,
  pairings: Pairings,
  session: Session,
  userId: string,
): void {
  for (const relation of parts.relations.ofUser(userId)) {
    for (const frame of relationStanding(parts, relation, "human")) session.send(frame);
    const { agent_id, status } = relation;
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
