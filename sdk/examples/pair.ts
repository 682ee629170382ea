import { HasheeAgent, type Manifest } from "@consentry/agent-sdk";

const manifest: Manifest = {
  schema_version: "1.0",
  agent_version: "1.0.0",
  tools: [
    {
      name: "read_file",
      description_i18n_key: "reader.tools.read_file",
      description_fallback: "Read a text file you choose",
      input_schema: {
        type: "object",
        properties: { path: { type: "string" } },
        required: ["path"],
        additionalProperties: false,
      },
      permission_scope: "filesystem:read",
    },
  ],
  permission_scopes: [
    {
      id: "filesystem:read",
      label_i18n_key: "reader.scopes.filesystem_read",
      label_fallback: "Read files",
      sensitivity: "medium",
    },
  ],
};

const { agent, credentials } = await HasheeAgent.pair({
  name: "Reader",
  manifest,
  baseUrl: process.env.HASHEE_BASE_URL ?? "http://127.0.0.1:4800",
  onCode: (code) => console.log(`In the client, add the agent that shows ${code}`),
});
// Stored in ~/.hashee/Reader. The token is secret, like a password: whoever has it can act as this agent.
console.log(`Added as ${credentials.agentId}, may use: ${credentials.grantedScopes.join(", ")}`);
agent.disconnect();
