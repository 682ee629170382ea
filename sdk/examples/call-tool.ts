import { HasheeAgent } from "@consentry/agent-sdk";

const agent = await HasheeAgent.init({
  agentId: process.env.HASHEE_AGENT_ID ?? "",
  token: process.env.HASHEE_AGENT_TOKEN ?? "",
  baseUrl: process.env.HASHEE_BASE_URL ?? "http://127.0.0.1:4800",
});
const conversationId = process.env.HASHEE_CONVERSATION_ID ?? "";

// The person may need time to read the request and decide.
const file = await agent.callTool(
  conversationId,
  "read_file",
  { path: process.env.NOTES_PATH ?? "/tmp/notes.md" },
  { timeoutMs: 120_000 },
);
console.log(file);
await agent.send(conversationId, { type: "text", text: "I have read your notes. Thank you!" });
agent.disconnect();
