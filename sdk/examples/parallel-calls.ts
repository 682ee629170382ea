import { HasheeAgent } from "@consentry/agent-sdk";

const agent = await HasheeAgent.init({
  agentId: process.env.HASHEE_AGENT_ID ?? "",
  token: process.env.HASHEE_AGENT_TOKEN ?? "",
  baseUrl: process.env.HASHEE_BASE_URL ?? "http://127.0.0.1:4800",
});
const conversationId = process.env.HASHEE_CONVERSATION_ID ?? "";

const paths = (process.env.NOTES_PATHS ?? "/tmp/notes.md,/home/kim/plans.md").split(",");
const calls = paths.map((path) => agent.callTool(conversationId, "read_file", { path }));
// Each call ends on its own: a refusal of one does not affect the others.
const outcomes = await Promise.allSettled(calls);
for (const [at, outcome] of outcomes.entries()) {
  const shown = outcome.status === "fulfilled" ? outcome.value : outcome.reason.message;
  console.log(`${paths[at]}: ${shown}`);
}
agent.disconnect();
