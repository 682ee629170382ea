import Anthropic from "@anthropic-ai/sdk";
import { connect, manifestFor } from "@consentry/agent-sdk";
import {
  anthropicResults,
  anthropicTools,
  anthropicTurn,
  modelTools,
  ToolRunner,
} from "@consentry/agent-sdk/models";

const manifest = manifestFor(["fetch_url"], { name: "Web reader", version: "1.0.0" });
const tools = modelTools(manifest, {
  descriptions: {
    fetch_url:
      "Fetch a web page and return its status, headers and body. Use it when the answer depends on " +
      "what a page says now. The person is asked first and may say no.",
  },
});
const agent = await connect("Web reader", manifest);
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
