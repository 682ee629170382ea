// An agent that calls what it is told to: `<hub> <name>`. Its parent process sends
// `{ tool, args }` and hears how the call ended.
import { HasheeAgent } from "../../dist/sdk/index.js";
import { manifestOf } from "./manifest-of.ts";

const [baseUrl, name] = process.argv.slice(2);

const manifest = manifestOf({
  read_file: ["filesystem:read", "medium"],
  list_directory: ["filesystem:read", "medium"],
  write_file: ["filesystem:write", "high"],
  fetch_url: ["network:http", "medium"],
  write_clipboard: ["clipboard:write", "medium"],
});

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
