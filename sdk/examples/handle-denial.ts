import { HasheeAgent, loadCredentials, ToolCallError } from "@consentry/agent-sdk";

const agent = await HasheeAgent.init(await loadCredentials("Reader"));

try {
  const path = process.env.NOTES_PATH ?? "/tmp/notes.md";
  console.log(await agent.callTool("read_file", { path }));
} catch (error) {
  if (!(error instanceof ToolCallError)) throw error;
  const { code, failure } = error;
  if (failure.kind === "denied") console.log(`not allowed: ${failure.reason}`);
  else if (failure.kind === "failed") console.log(`${code}: ${failure.reason}`);
  else if (failure.kind === "timeout") console.log("nobody answered in time");
  else console.log(`not answered: ${code}`);
} finally {
  agent.disconnect();
}
