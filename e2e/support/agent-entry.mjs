// A real agent process on the built SDK, which does what the test tells it to, one order a line.
import { createInterface } from "node:readline";
import { artifact, HasheeAgent, voiceIn } from "../../dist/sdk/index.js";

const say = (line) => console.log(JSON.stringify(line));
// Tests see what the program itself does with too many.
const callsAtOnce = Number.POSITIVE_INFINITY;
let agent;
let home = "";
let person = "";
let stream;

/** Sends half a character too, as another program than the SDK could. */
function unchecked(send) {
  const { isWellFormed } = String.prototype;
  String.prototype.isWellFormed = () => true;
  try {
    return send();
  } finally {
    String.prototype.isWellFormed = isWellFormed;
  }
}

const orders = {
  async pair({ id, name, manifest, userId, baseUrl }) {
    const onCode = (code) => say({ id, code });
    const paired = await HasheeAgent.pair({
      name,
      manifest,
      baseUrl,
      userId,
      onCode,
      // Agents of the same name share this home.
      storeCredentials: false,
      callsAtOnce,
    });
    agent = paired.agent;
    home = paired.credentials.conversationId;
    person = paired.credentials.userId;
    return paired.credentials;
  },
  async init({ agentId, token, conversationId, userId, manifest, baseUrl, options }) {
    home = conversationId;
    person = userId;
    agent = await HasheeAgent.init({ agentId, token, manifest, baseUrl, callsAtOnce, ...options });
  },
  call: ({ tool, args, options, conversation }) =>
    agent.callTool(conversation ?? home, tool, args, options),
  send: ({ text, conversation }) => agent.send(conversation ?? home, { type: "text", text }),
  /** Writes these pieces one after the other; with `text`, ends in a message of that. */
  async stream({ pieces, text }) {
    stream ??= agent.stream(home);
    for (const piece of pieces) stream.delta(piece);
    if (text === undefined) return null;
    const done = stream.done(text);
    stream = undefined;
    return done;
  },
  /** Resolves with the next text the person sends. */
  hear: () =>
    new Promise((resolve) => {
      const stop = new AbortController();
      agent.addMessageHandler((message) => {
        stop.abort();
        resolve(message.payload);
      }, stop.signal);
    }),
  blocks: ({ parts }) => agent.sendArtifact(home, artifact(parts)),
  raw: ({ artifact: sent }) => agent.sendArtifact(home, { artifact: sent }),
  /** Resolves with the next voice message. */
  heardVoice: () =>
    new Promise((resolve) => {
      const stop = new AbortController();
      agent.addMessageHandler((message) => {
        const voice = voiceIn(message);
        if (voice === undefined) return;
        stop.abort();
        resolve({ ...voice, data: Buffer.from(voice.data).toString("base64") });
      }, stop.signal);
    }),
  speak: ({ voice }) =>
    agent.sendVoice(home, { ...voice, data: Buffer.from(voice.data, "base64") }),
  group: ({ title }) => agent.conversations.createGroup({ title }),
  conversations: () => agent.conversations.list(),
  manifest: ({ manifest }) => agent.updateManifest(manifest),
  update: ({ update }) => agent.updateArtifact(home, update),
  /** Resolves with the next answer to an artifact. */
  answered: () =>
    new Promise((resolve) => {
      const stop = new AbortController();
      agent.onArtifactResponse((answer) => {
        stop.abort();
        resolve(answer);
      }, stop.signal);
    }),
  safety: () => agent.safetyNumber(person),
  async artifact({ artifact, call_id, conversation }) {
    const stop = new AbortController();
    const answered = new Promise((resolve) => {
      agent.addEventHandler((event) => {
        if (event.type === "artifact_response" && event.artifact.call_id === call_id) {
          resolve(event.artifact);
        }
      }, stop.signal);
    });
    await unchecked(() => agent.sendArtifact(conversation ?? home, { artifact }));
    const response = await answered;
    stop.abort();
    return response;
  },
};

const input = createInterface({ input: process.stdin });
// It ends with the test that gives the orders, however that ends.
input.on("close", () => process.exit(0));
input.on("line", async (line) => {
  const order = JSON.parse(line);
  try {
    say({ id: order.id, result: (await orders[order.order](order)) ?? null });
  } catch (error) {
    const { name, code, message } = error;
    const { reason, told } = error.failure ?? error;
    say({ id: order.id, error: { name, code, reason, told, message } });
  }
});
