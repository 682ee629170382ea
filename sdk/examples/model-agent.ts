import Anthropic from "@anthropic-ai/sdk";
import { HasheeAgent, loadCredentials, type Manifest } from "@consentry/agent-sdk";
import {
  anthropicResults,
  anthropicTools,
  anthropicTurn,
  modelTools,
  ToolRunner,
} from "@consentry/agent-sdk/models";

/** The manifest with which the agent was paired. */
const manifest: Manifest = {
  schema_version: "1.0",
  agent_version: "1.0.0",
  tools: [
    {
      name: "fetch_url",
      description_i18n_key: "reader.tools.fetch_url",
      description_fallback: "Fetch a web page",
      input_schema: {
        type: "object",
        properties: { url: { type: "string" }, method: { enum: ["GET", "HEAD"] } },
        required: ["url"],
        additionalProperties: false,
      },
      permission_scope: "network:http",
    },
  ],
  permission_scopes: [
    {
      id: "network:http",
      label_i18n_key: "reader.scopes.network_http",
      label_fallback: "Fetch web pages",
      sensitivity: "medium",
    },
  ],
};
const tools = modelTools(manifest, {
  descriptions: {
    fetch_url:
      "Fetch a web page and return its status, headers and body. Use it when the answer depends on " +
      "what a page says now. The person is asked first and may say no.",
  },
});

// What `pair` stored under the agent's name.
const agent = await HasheeAgent.init({
  ...(await loadCredentials("Web reader")),
  manifest,
});
// Reads ANTHROPIC_API_KEY.
const model = new Anthropic();

agent.addMessageHandler(async ({ conversation_id, payload }) => {
  const runner = new ToolRunner({
    tools,
    call: (name, args, options) =>
      agent.callTool(conversation_id, name, args, { ...options, timeoutMs: 60_000 }),
  });
  const messages: Anthropic.MessageParam[] = [{ role: "user", content: String(payload.text) }];
  for (let steps = 0; steps < 10; steps += 1) {
    const response = await model.messages.create({
      model: process.env.MODEL ?? "claude-sonnet-5-5",
      max_tokens: 1024,
      tools: anthropicTools(tools),
      messages,
    });
    const turn = anthropicTurn(response);
    if (turn.calls.length === 0) {
      await agent.send(conversation_id, { type: "text", text: turn.text });
      return;
    }
    // Denials and failures are results too: the model reads what to do next.
    messages.push(...turn.messages, ...anthropicResults(await runner.runAll(turn.calls)));
  }
  await agent.send(conversation_id, { type: "text", text: "I could not finish this." });
});
process.once("SIGTERM", () => agent.disconnect());
console.log("listening");
