// Agents that are paired one after the other and stay connected: `<folder of the built SDK> <hub> <count>`.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [build, baseUrl, count] = process.argv.slice(2);
const { HasheeAgent } = await import(pathToFileURL(join(build, "sdk/index.js")).href);

const manifest = {
  schema_version: "1.0",
  agent_version: "1.0.0",
  tools: [
    {
      name: "send_notification",
      description_i18n_key: "agent.tools.send_notification.desc",
      description_fallback: "Shows a notification",
      input_schema: {
        type: "object",
        properties: { title: { type: "string" } },
        required: ["title"],
        additionalProperties: false,
      },
      permission_scope: "notification:send",
    },
  ],
  permission_scopes: [
    {
      id: "notification:send",
      label_i18n_key: "agent.scopes.notification.label",
      label_fallback: "Show notifications",
      sensitivity: "low",
    },
  ],
};

for (let at = 0; at < Number(count); at += 1) {
  const onCode = (code) => process.send({ event: "code", code });
  await HasheeAgent.pair({ name: `Bench agent ${at}`, manifest, baseUrl, onCode });
}
process.once("disconnect", () => process.exit());
process.send({ event: "ready" });
