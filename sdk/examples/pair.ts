import { HasheeAgent, manifestFor } from "@consentry/agent-sdk";

const { agent, credentials } = await HasheeAgent.pair({
  name: "Reader",
  manifest: manifestFor(["read_file"], { name: "Reader", version: "1.0.0" }),
  baseUrl: process.env.HASHEE_BASE_URL ?? "http://127.0.0.1:4800",
  onCode: (code) => console.log(`In Consentry, add the agent that shows ${code}`),
});
// Stored in ~/.hashee/Reader. The token is secret, like a password: whoever has it can act as this agent.
console.log(`Added as ${credentials.agentId}, may use: ${credentials.grantedScopes.join(", ")}`);
agent.disconnect();
