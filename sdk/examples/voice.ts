import { HasheeAgent, type ReceivedVoice, voiceIn } from "@consentry/agent-sdk";

const agent = await HasheeAgent.init({
  agentId: process.env.HASHEE_AGENT_ID ?? "",
  token: process.env.HASHEE_AGENT_TOKEN ?? "",
  baseUrl: process.env.HASHEE_BASE_URL ?? "http://127.0.0.1:4800",
});
const conversationId = process.env.HASHEE_CONVERSATION_ID ?? "";

const heard = new Promise<ReceivedVoice>((resolve) => {
  agent.addMessageHandler((message) => {
    const voice = voiceIn(message);
    if (voice !== undefined) resolve(voice);
  });
});
const { data, duration_s, mime } = await heard;
console.log(`heard ${duration_s} s of ${mime}`);
// Yours would turn it into words, and words into speech. This one says the same again.
await agent.sendVoice(conversationId, { data, duration_s, transcript: "You said:" });
agent.disconnect();
