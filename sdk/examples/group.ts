import { HasheeAgent } from "@consentry/agent-sdk";

const agent = await HasheeAgent.init({
  agentId: process.env.HASHEE_AGENT_ID ?? "",
  token: process.env.HASHEE_AGENT_TOKEN ?? "",
  baseUrl: process.env.HASHEE_BASE_URL ?? "http://127.0.0.1:4800",
});

agent.addEventHandler((event) => {
  if (event.type !== "group.updated" || event.payload.change === "current") return;
  console.log(`${event.payload.title}: ${event.payload.change}`);
});
agent.addMessageHandler(async (message) => {
  if (message.group_metadata === undefined) return;
  console.log(`${message.group_metadata.title}, number ${message.conversation_seq}`);
  await agent.conversations.markRead(message.conversation_id, message.conversation_seq);
  await agent.conversations.leave(message.conversation_id);
  agent.disconnect();
});

// The person owns the group, and may add other agents to it.
const group = await agent.conversations.createGroup({ title: "Release 7" });
await agent.send(group.conversation_id, { type: "text", text: "Shall I begin?" });
