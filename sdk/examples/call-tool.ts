import { HasheeAgent, loadCredentials } from "@consentry/agent-sdk";

// What `pair` stored under the agent's name.
const { conversationId, ...credentials } = await loadCredentials("Reader");
const agent = await HasheeAgent.init(credentials);

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
