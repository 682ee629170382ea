import { NOT_SUSPENDED, type Undelivered } from "./message-store.ts";
import type { HubDatabase } from "./open-database.ts";

export interface WebhookRow {
  readonly agent_id: string;
  readonly url: string;
  /** As it was shown: the hub signs with it, so a hash would not do. */
  readonly secret: string;
}

/** What a webhook agent is told besides messages. */
export interface WebhookEvent {
  readonly agent_id: string;
  readonly conversation_id: string;
  readonly event_id: string;
  readonly type: string;
  readonly sender_id: string;
  /** A JSON object as text. */
  readonly payload: string;
  /** Milliseconds since the epoch. */
  readonly created_at: number;
}

export interface StoredWebhookEvent extends WebhookEvent {
  readonly event_row: number;
  readonly after_delivery: number;
}

export type Waiting =
  | { readonly kind: "message"; readonly message: Undelivered }
  | { readonly kind: "event"; readonly event: StoredWebhookEvent };

/** Writing must run inside a transaction. */
export interface WebhookStore {
  all(): readonly WebhookRow[];
  put(webhook: WebhookRow): void;
  /** Its events go with it; its messages wait for its WebSocket. */
  remove(agentId: string): void;
  /** At most 1,000 wait for one agent; the oldest makes room. */
  addEvent(event: WebhookEvent): void;
  eventDone(row: number): void;
  /** The conversations in which something waits for the agent and may be delivered now. */
  lanes(agentId: string): readonly string[];
  /** What is next in a conversation: messages and events in the order they came about. */
  head(agentId: string, conversationId: string): Waiting | undefined;
}

const EVENTS_AT_MOST = 1_000;

export function webhookStore(db: HubDatabase): WebhookStore {
  const all = db.prepare<[], WebhookRow>("SELECT * FROM webhooks");
  const put = db.prepare<[WebhookRow]>(
    `INSERT INTO webhooks VALUES (@agent_id, @url, @secret)
     ON CONFLICT (agent_id) DO UPDATE SET url = excluded.url, secret = excluded.secret`,
  );
  const remove = db.prepare<[string]>("DELETE FROM webhooks WHERE agent_id = ?");
  return {
    all: () => all.all(),
    put: (webhook) => void put.run(webhook),
    remove(agentId) {
      remove.run(agentId);
      db.prepare<[string]>("DELETE FROM webhook_events WHERE agent_id = ?").run(agentId);
    },
    ...eventStatements(db),
    ...laneStatements(db),
  };
}

function eventStatements(db: HubDatabase): Pick<WebhookStore, "addEvent" | "eventDone"> {
  const add = db.prepare<[WebhookEvent]>(
    `INSERT INTO webhook_events
       (agent_id, conversation_id, after_delivery, event_id, type, sender_id, payload, created_at)
     VALUES (@agent_id, @conversation_id,
       coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'deliveries'), 0),
       @event_id, @type, @sender_id, @payload, @created_at)`,
  );
  const trim = db.prepare<[{ agent: string }]>(
    `DELETE FROM webhook_events WHERE agent_id = @agent AND event_row NOT IN (
       SELECT event_row FROM webhook_events WHERE agent_id = @agent
       ORDER BY event_row DESC LIMIT ${EVENTS_AT_MOST})`,
  );
  const done = db.prepare<[number]>("DELETE FROM webhook_events WHERE event_row = ?");
  return {
    addEvent(event) {
      add.run(event);
      trim.run({ agent: event.agent_id });
    },
    eventDone: (row) => void done.run(row),
  };
}

function laneStatements(db: HubDatabase): Pick<WebhookStore, "lanes" | "head"> {
  const lanes = db.prepare<[{ agent: string }], { conversation_id: string }>(
    `SELECT conversation_id FROM queues d JOIN conversations c USING (conversation_id)
     WHERE d.recipient_id = @agent AND d.waiting > 0 AND ${NOT_SUSPENDED}
     UNION SELECT conversation_id FROM webhook_events WHERE agent_id = @agent`,
  );
  const message = db.prepare<[string, string], Undelivered>(
    `SELECT d.delivery_id, m.message_id, m.conversation_id, m.conversation_seq,
       c.type AS conversation_type, m.sender_id, m.sender_type, m.content_type, m.msg_subtype,
       m.payload, m.created_at
     FROM deliveries d JOIN messages m USING (message_row) JOIN conversations c USING (conversation_id)
     WHERE d.recipient_id = ? AND m.conversation_id = ? AND ${NOT_SUSPENDED}
     ORDER BY d.delivery_id LIMIT 1`,
  );
  const event = db.prepare<[string, string], StoredWebhookEvent>(
    `SELECT * FROM webhook_events WHERE agent_id = ? AND conversation_id = ?
     ORDER BY event_row LIMIT 1`,
  );
  return {
    lanes: (agent) => lanes.all({ agent }).map(({ conversation_id }) => conversation_id),
    head(agentId, conversationId) {
      const [nextMessage, nextEvent] = [
        message.get(agentId, conversationId),
        event.get(agentId, conversationId),
      ];
      if (nextMessage === undefined) return nextEvent && { kind: "event", event: nextEvent };
      return nextEvent !== undefined && nextEvent.after_delivery < nextMessage.delivery_id
        ? { kind: "event", event: nextEvent }
        : { kind: "message", message: nextMessage };
    },
  };
}
