/** How many messages wait for a recipient in a conversation; no row is none. */
export const queues = `
CREATE TABLE queues (
  recipient_id TEXT NOT NULL,
  conversation_id TEXT NOT NULL,
  waiting INTEGER NOT NULL,
  PRIMARY KEY (recipient_id, conversation_id)
) WITHOUT ROWID, STRICT;

INSERT INTO queues (recipient_id, conversation_id, waiting)
  SELECT recipient_id, conversation_id, count(*) FROM deliveries JOIN messages USING (message_row)
  GROUP BY recipient_id, conversation_id;
`;
