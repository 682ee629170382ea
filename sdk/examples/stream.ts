import { HasheeAgent, loadCredentials } from "@consentry/agent-sdk";

// What `pair` stored under the agent's name.
const { conversationId, ...credentials } = await loadCredentials("Reader");
const agent = await HasheeAgent.init(credentials);

const words = ["Working", " on", " it", "."];
const stream = agent.stream(conversationId);
for (const word of words) stream.delta(word);
// The streamed parts are not stored; the whole text is.
const { conversation_seq } = await stream.done(words.join(""));
console.log(`stored as number ${conversation_seq}`);
agent.disconnect();
