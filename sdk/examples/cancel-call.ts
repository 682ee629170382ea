import { HasheeAgent, ToolAbortedError } from "@consentry/agent-sdk";

const agent = await HasheeAgent.init({
  agentId: process.env.HASHEE_AGENT_ID ?? "",
  token: process.env.HASHEE_AGENT_TOKEN ?? "",
  baseUrl: process.env.HASHEE_BASE_URL ?? "http://127.0.0.1:4800",
});
const conversationId = process.env.HASHEE_CONVERSATION_ID ?? "";

const abort = new AbortController();
const path = process.env.NOTES_PATH ?? "/tmp/notes.md";
const call = agent.callTool(conversationId, "read_file", { path }, { signal: abort.signal });
// The request is withdrawn from the person, and a tool that is already running is stopped.
abort.abort();
try {
  console.log(await call);
} catch (error) {
  if (!(error instanceof ToolAbortedError)) throw error;
  console.log(`given up: ${error.toolName}`);
} finally {
  agent.disconnect();
}
