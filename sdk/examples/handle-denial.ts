import {
  HasheeAgent,
  loadCredentials,
  ToolCallError,
  ToolDeniedError,
  ToolFailedError,
  ToolTimeoutError,
} from "@consentry/agent-sdk";

const agent = await HasheeAgent.init(await loadCredentials("Reader"));

try {
  const path = process.env.NOTES_PATH ?? "/tmp/notes.md";
  console.log(await agent.callTool("read_file", { path }));
} catch (error) {
  if (error instanceof ToolDeniedError) console.log(`not allowed: ${error.reason}`);
  else if (error instanceof ToolFailedError) console.log(`${error.code}: ${error.reason}`);
  else if (error instanceof ToolTimeoutError) console.log("nobody answered in time");
  else if (error instanceof ToolCallError) console.log(`not answered: ${error.code}`);
  else throw error;
} finally {
  agent.disconnect();
}
