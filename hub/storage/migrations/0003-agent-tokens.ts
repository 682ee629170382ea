/** Over REST an agent says who it is by its token alone. */
export const agentTokens = `
CREATE UNIQUE INDEX agents_by_token ON agents (token_hash);
`;
