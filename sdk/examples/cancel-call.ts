import { HasheeAgent, loadCredentials, ToolCallError } from "@consentry/agent-sdk";

const agent = await HasheeAgent.init(await loadCredentials("Reader"));

const abort = new AbortController();
const path = process.env.NOTES_PATH ?? "/tmp/notes.md";
const call = agent.callTool("read_file", { path }, { signal: abort.signal });
// The request is withdrawn from the person, and a tool that is already running is stopped.
abort.abort();
try {
  console.log(await call);
} catch (error) {
  if (!(error instanceof ToolCallError && error.failure.kind === "aborted")) throw error;
  console.log(`given up: ${error.toolName}`);
} finally {
  agent.disconnect();
}
