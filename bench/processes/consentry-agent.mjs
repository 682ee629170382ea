// An agent in a process of its own, on the built SDK: `<hub> <file> <bytes>`.
import { HasheeAgent } from "../../dist/sdk/index.js";
import { serveTurns } from "./serve-turns.ts";

const [baseUrl, path, bytes] = process.argv.slice(2);

const manifest = {
  schema_version: "1.0",
  agent_version: "1.0.0",
  tools: [
    {
      name: "read_file",
      description_i18n_key: "agent.tools.read_file.desc",
      description_fallback: "Reads a file",
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
      label_i18n_key: "agent.scopes.files.label",
      label_fallback: "Read files",
      sensitivity: "medium",
    },
  ],
};

const { agent, credentials } = await HasheeAgent.pair({
  name: "Bench agent",
  manifest,
  baseUrl,
  onCode: (code) => process.send({ event: "code", code }),
});

const read = async () => {
  const { content } = await agent.callTool(credentials.conversationId, "read_file", { path });
  if (content.length !== Number(bytes)) throw new Error(`read ${content.length} characters`);
};

// The one that the person is asked about; they allow the rest with it.
await read();
serveTurns(read);
