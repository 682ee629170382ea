/** Groups have a title and somebody who made them; every member has read up to some number. */
export const groups = `
ALTER TABLE conversations ADD COLUMN title TEXT;
ALTER TABLE conversations ADD COLUMN created_by TEXT;
ALTER TABLE members ADD COLUMN read_seq INTEGER NOT NULL DEFAULT 0;
CREATE INDEX members_by_member ON members (member_id);
CREATE INDEX relations_by_conversation ON relations (conversation_id);
`;
