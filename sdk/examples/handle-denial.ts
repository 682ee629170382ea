import {
  HasheeAgent,
  ToolCallError,
  ToolDeniedError,
  ToolFailedError,
  ToolTimeoutError,
} from "@consentry/agent-sdk";

const agent = await HasheeAgent.init({
  agentId: process.env.HASHEE_AGENT_ID ?? "",
  token: process.env.HASHEE_AGENT_TOKEN ?? "",
  baseUrl: process.env.HASHEE_BASE_URL ?? "http://127.0.0.1:4800",
});
const conversationId = process.env.HASHEE_CONVERSATION_ID ?? "";

try {
  const path = process.env.NOTES_PATH ?? "/tmp/notes.md";
  console.log(await agent.callTool(conversationId, "read_file", { path }));
} catch (error) {
  if (error instanceof ToolDeniedError) console.log(`not allowed: ${error.reason}`);
  else if (error instanceof ToolFailedError) console.log(`${error.code}: ${error.reason}`);
  else if (error instanceof ToolTimeoutError) console.log("nobody answered in time");
  else if (error instanceof ToolCallError) console.log(`not answered: ${error.code}`);
  else throw error;
} finally {
  agent.disconnect();
}
