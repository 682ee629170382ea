import { HasheeAgent } from "@consentry/agent-sdk";

const agent = await HasheeAgent.init({
  agentId: process.env.HASHEE_AGENT_ID ?? "",
  token: process.env.HASHEE_AGENT_TOKEN ?? "",
  baseUrl: process.env.HASHEE_BASE_URL ?? "http://127.0.0.1:4800",
});
const conversationId = process.env.HASHEE_CONVERSATION_ID ?? "";

const words = ["Working", " on", " it", "."];
const stream = agent.stream(conversationId);
for (const word of words) stream.delta(word);
// The streamed parts are not stored; the whole text is.
const { conversation_seq } = await stream.done(words.join(""));
console.log(`stored as number ${conversation_seq}`);
agent.disconnect();
