import { HasheeAgent, loadCredentials } from "@consentry/agent-sdk";

const agent = await HasheeAgent.init(await loadCredentials("Reader"));

agent.addEventHandler((event) => {
  if (event.type !== "group.updated" || event.payload.change === "current") return;
  console.log(`${event.payload.title}: ${event.payload.change}`);
  // Nobody but this agent can have been removed: there is no other member besides the person.
  if (event.payload.change === "members_removed") agent.disconnect();
});
agent.addMessageHandler(async (message) => {
  if (message.group_metadata === undefined) return;
  console.log(`${message.group_metadata.title}, number ${message.conversation_seq}`);
  await agent.conversations.markRead(message.conversation_id, message.conversation_seq);
  await agent.conversations.leave(message.conversation_id);
});

// The person owns the group, and may add other agents to it.
const group = await agent.conversations.createGroup({ title: "Release 7" });
await agent.send(group.conversation_id, { type: "text", text: "Shall I begin?" });
