import { HasheeAgent, loadCredentials } from "@consentry/agent-sdk";

const agent = await HasheeAgent.init(await loadCredentials("Reader"));

const paths = (process.env.NOTES_PATHS ?? "/tmp/notes.md,/home/kim/plans.md").split(",");
const calls = paths.map((path) => agent.callTool("read_file", { path }));
// Each call ends on its own: a refusal of one does not affect the others.
const outcomes = await Promise.allSettled(calls);
for (const [at, outcome] of outcomes.entries()) {
  const shown = outcome.status === "fulfilled" ? outcome.value.content : outcome.reason.message;
  console.log(`${paths[at]}:`, shown);
}
agent.disconnect();
