import { HasheeAgent, loadCredentials } from "@consentry/agent-sdk";

const agent = await HasheeAgent.init(await loadCredentials("Reader"));

const words = ["Working", " on", " it", "."];
const stream = agent.stream();
for (const word of words) stream.delta(word);
// The streamed parts are not stored; the whole text is.
const { conversation_seq } = await stream.done(words.join(""));
console.log(`stored as number ${conversation_seq}`);
agent.disconnect();
