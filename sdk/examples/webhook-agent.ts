import { createServer } from "node:http";
import { AgentError, HasheeAgent, loadCredentials } from "@consentry/agent-sdk";

const agent = await HasheeAgent.init(await loadCredentials("Webhook reader"));

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
    response.writeHead(error instanceof AgentError ? error.status : 500).end();
  }
});
server.listen(Number(process.env.PORT ?? 8080), "127.0.0.1", async () => {
  // Store the secret and pass it to `init` as `webhookSecret`, so that this is needed only once.
  await agent.receiveAt(process.env.WEBHOOK_URL ?? "https://agent.example.org/hashee");
  console.log("listening");
});
process.once("SIGTERM", () => {
  agent.disconnect();
  server.close();
});
