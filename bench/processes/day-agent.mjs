// An agent that calls what it is told to: `<hub> <name>`. Its parent process sends
// `{ tool, args }` and hears how the call ended.
import { HasheeAgent } from "../../dist/sdk/index.js";

const [baseUrl, name] = process.argv.slice(2);

const TOOLS = {
  read_file: "filesystem:read",
  list_directory: "filesystem:read",
  write_file: "filesystem:write",
  fetch_url: "network:http",
  write_clipboard: "clipboard:write",
};
const LEVELS = {
  "filesystem:read": "medium",
  "filesystem:write": "high",
  "network:http": "medium",
  "clipboard:write": "medium",
};
const manifest = {
  schema_version: "1.0",
  agent_version: "1.0.0",
  tools: Object.entries(TOOLS).map(([tool, permission_scope]) => ({
    name: tool,
    description_i18n_key: `agent.tools.${tool}.desc`,
    description_fallback: tool,
    input_schema: { type: "object" },
    permission_scope,
  })),
  permission_scopes: Object.entries(LEVELS).map(([id, sensitivity]) => ({
    id,
    label_i18n_key: `agent.scopes.${id}.label`,
    label_fallback: id,
    sensitivity,
  })),
};

const { agent, credentials } = await HasheeAgent.pair({
  name,
  manifest,
  baseUrl,
  onCode: () => process.send?.("asked"),
});
process.on("message", async ({ tool, args }) => {
  const end = await agent.callTool(credentials.conversationId, tool, args).then(
    () => "done",
    (error) => error.reason ?? error.code ?? error.name,
  );
  process.send?.(end);
});
process.once("disconnect", () => process.exit(0));
process.send?.("ready");
