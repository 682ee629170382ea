import { assertNever } from "../../app/contract/assert-never.ts";
import type { NewEvent, Relation, Undelivered, WaitingEvent } from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import type { GroupCommit } from "./group-commit.ts";
import { type DeliveryRows, NOT_SUSPENDED, UNDELIVERED } from "./message-operations.ts";
import type { HubDatabase } from "./open-database.ts";

const EVENTS_AT_MOST = 1_000;

type StoredEvent = WaitingEvent & { readonly after_delivery: number };

/** What waits for agents that the hub calls: messages as for anybody, and events. */
export function webhookOperations(
  db: HubDatabase,
  commits: GroupCommit,
  deliveries: DeliveryRows,
): Pick<HubStorage, "lanes" | "nextDelivery" | "settleDelivery"> {
  const lanes = db
    .prepare<[{ agent: string }], string>(
      `SELECT conversation_id FROM queues d JOIN conversations c USING (conversation_id)
       WHERE d.recipient_id = @agent AND d.waiting > 0 AND ${NOT_SUSPENDED}
       UNION SELECT conversation_id FROM webhook_events WHERE agent_id = @agent`,
    )
    .pluck();
  const firstMessage = db.prepare<[string, string], Undelivered>(
    `${UNDELIVERED} WHERE d.recipient_id = ? AND m.conversation_id = ? AND ${NOT_SUSPENDED}
     ORDER BY d.delivery_id LIMIT 1`,
  );
  const firstEvent = db.prepare<[string, string], StoredEvent>(
    `SELECT * FROM webhook_events WHERE agent_id = ? AND conversation_id = ?
     ORDER BY event_row LIMIT 1`,
  );
  const eventDone = db.prepare<[number]>("DELETE FROM webhook_events WHERE event_row = ?");
  return {
    async lanes(agent) {
      commits.flush();
      return lanes.all({ agent });
    },
    async nextDelivery(agentId, conversationId) {
      commits.flush();
      const message = firstMessage.get(agentId, conversationId);
      const event = firstEvent.get(agentId, conversationId);
      if (message === undefined) return event && { kind: "event", event };
      return event !== undefined && event.after_delivery < message.delivery_id
        ? { kind: "event", event }
        : { kind: "message", message };
    },
    async settleDelivery(agentId, waiting) {
      switch (waiting.kind) {
        case "message": {
          const { conversation_id, conversation_seq } = waiting.message;
          commits.now(() => deliveries.settle(agentId, conversation_id, conversation_seq));
          return;
        }
        case "event":
          commits.now(() => eventDone.run(waiting.event.event_row));
          return;
        default:
          assertNever(waiting);
      }
    },
  };
}

/** Notes events for a relation's agent if the hub calls it, behind the deliveries there are. */
export function eventNoting(db: HubDatabase) {
  const add = db.prepare<[NewEvent & Pick<Relation, "agent_id" | "conversation_id" | "user_id">]>(
    `INSERT INTO webhook_events
       (agent_id, conversation_id, after_delivery, event_id, type, sender_id, payload, created_at)
     SELECT @agent_id, @conversation_id,
       coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'deliveries'), 0),
       @event_id, @type, @user_id, @payload, @created_at
     FROM webhooks WHERE agent_id = @agent_id`,
  );
  const trim = db.prepare<[{ agent: string }]>(
    `DELETE FROM webhook_events WHERE agent_id = @agent AND event_row NOT IN (
       SELECT event_row FROM webhook_events WHERE agent_id = @agent
       ORDER BY event_row DESC LIMIT ${EVENTS_AT_MOST})`,
  );
  return ({ agent_id, conversation_id, user_id }: Relation, events: readonly NewEvent[]): void => {
    for (const event of events) add.run({ agent_id, conversation_id, user_id, ...event });
    if (events.length > 0) trim.run({ agent: agent_id });
  };
}
