import { HasheeAgent, loadCredentials, type ReceivedVoice, voiceIn } from "@consentry/agent-sdk";

const agent = await HasheeAgent.init(await loadCredentials("Voice reader"));

const heard = new Promise<ReceivedVoice>((resolve) => {
  agent.addMessageHandler((message) => {
    const voice = voiceIn(message);
    if (voice !== undefined) resolve(voice);
  });
});
const { data, duration_s, mime } = await heard;
console.log(`heard ${duration_s} s of ${mime}`);
// Yours would turn it into words, and words into speech. This one says the same again.
await agent.sendVoice({ data, duration_s, transcript: "You said:" });
agent.disconnect();
