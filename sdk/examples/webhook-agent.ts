import { createServer } from "node:http";
import { HasheeAgent, WebhookError } from "@consentry/agent-sdk";

const agent = await HasheeAgent.init({
  agentId: process.env.HASHEE_AGENT_ID ?? "",
  token: process.env.HASHEE_AGENT_TOKEN ?? "",
  baseUrl: process.env.HASHEE_BASE_URL ?? "http://127.0.0.1:4800",
  connectionMode: "webhook",
  webhookSecret: process.env.HASHEE_WEBHOOK_SECRET ?? "",
});

agent.addMessageHandler(async ({ conversation_id, payload }) => {
  await agent.send(conversation_id, { type: "text", text: `You wrote: ${payload.text}` });
});

const server = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  try {
    await agent.handleWebhook(request.headers, Buffer.concat(parts));
    response.writeHead(204).end();
  } catch (error) {
    const isForged = error instanceof WebhookError && error.code === "signature_invalid";
    response.writeHead(isForged ? 401 : 400).end();
  }
});
server.listen(Number(process.env.PORT ?? 8080), "127.0.0.1", () => console.log("listening"));
process.once("SIGTERM", () => {
  agent.disconnect();
  server.close();
});
