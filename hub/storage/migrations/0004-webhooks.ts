/**
 * Agents that are called instead of calling in. Messages wait in `deliveries` like anybody's; what
 * else such an agent is told waits in `webhook_events`, each behind the last delivery before it.
 */
export const webhooks = `
CREATE TABLE webhooks (
  agent_id TEXT PRIMARY KEY REFERENCES agents,
  url TEXT NOT NULL,
  secret TEXT NOT NULL
) WITHOUT ROWID, STRICT;

CREATE TABLE webhook_events (
  event_row INTEGER PRIMARY KEY AUTOINCREMENT,
  agent_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  after_delivery INTEGER NOT NULL,
  event_id TEXT NOT NULL,
  type TEXT NOT NULL,
  sender_id TEXT NOT NULL,
  payload TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX webhook_events_by_lane ON webhook_events (agent_id, conversation_id, event_row);
`;
