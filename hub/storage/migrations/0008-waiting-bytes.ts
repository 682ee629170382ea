/**
 * How many bytes of each agent's messages wait to be received, with 512 for each message; no row is
 * none.
 */
export const waitingBytes = `
CREATE TABLE waiting_bytes (
  sender_id TEXT PRIMARY KEY,
  bytes INTEGER NOT NULL
) WITHOUT ROWID, STRICT;

INSERT INTO waiting_bytes (sender_id, bytes)
  SELECT sender_id, sum(length(payload) + 512) FROM messages
  WHERE sender_type = 'agent' AND payload IS NOT NULL GROUP BY sender_id;

CREATE TRIGGER received_bytes AFTER UPDATE OF payload ON messages
WHEN OLD.sender_type = 'agent' AND OLD.payload IS NOT NULL AND NEW.payload IS NULL
BEGIN
  UPDATE waiting_bytes SET bytes = bytes - length(OLD.payload) - 512
  WHERE sender_id = OLD.sender_id;
END;
`;
