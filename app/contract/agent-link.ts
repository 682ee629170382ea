/** What an agent's link begins with; its id is all that follows ([form](../../docs/protocol.md#an-agents-link)). */
const LINK = /^(?:consentry:agent\/)?([0-9A-Za-z_-]{1,128})$/;

/**
 * The id in what a person pasted: an id, or a link. Null for anything else: a link cannot say which hub,
 * what is granted, or anything more.
 */
export const agentIdIn = (text: string): string | null => LINK.exec(text.trim())?.[1] ?? null;
