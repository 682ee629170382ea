import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { WebSocket } from "ws";
import { ENVELOPE_BYTES, type RelayAgent, type RelayPlan } from "./relay-plan.ts";
import { serveTurns } from "./serve-turns.ts";

/** All agents' connections, and the person's. A call is a message from an agent to the person. */
const [file = ""] = process.argv.slice(2);
const plan: RelayPlan = JSON.parse(readFileSync(file, "utf8"));
/** Connections opened at once: no more than a listening socket queues. */
const AT_ONCE = 50;

interface Heard {
  readonly type: string;
  readonly encrypted_payload: string;
  readonly conversation_id: string;
  readonly conversation_seq: number;
}

/** Resolves once the relay has accepted the connection. */
function connect(path: string, auth: object, hear: (frame: Heard) => void): Promise<WebSocket> {
  const socket = new WebSocket(`${plan.url}${path}`, { perMessageDeflate: false });
  return new Promise((resolve, reject) => {
    socket.once("error", reject);
    socket.once("close", (code) => reject(new Error(`closed with ${code}`)));
    socket.once("open", () => {
      if (plan.personToken === null) resolve(socket);
      else socket.send(JSON.stringify({ type: "auth", ...auth }));
    });
    socket.on("message", (data) => {
      const frame: Heard = JSON.parse(String(data));
      if (frame.type === "auth.ok") resolve(socket);
      else if (frame.type === "ping") socket.send('{"type":"pong"}');
      else hear(frame);
    });
  });
}

/** By envelope, which is unique to each message. */
const awaited = new Map<string, () => void>();
const person = await connect("/ws/human", { token: plan.personToken }, (frame) => {
  const { type, encrypted_payload, conversation_id, conversation_seq } = frame;
  if (type !== "message.new" && type !== "message.send") return;
  awaited.get(encrypted_payload)?.();
  if (plan.personToken === null) return;
  person.send(JSON.stringify({ type: "message.received", conversation_id, conversation_seq }));
});

const connectAgent = async (agent: RelayAgent) => {
  const { agent_id, token } = agent;
  const refused = (frame: Heard) => {
    if (frame.type === "message.refused") throw new Error("refused");
  };
  return {
    agent,
    socket: await connect(`/ws/agent?agent_id=${agent_id}`, { agent_id, token }, refused),
  };
};
const connected: Awaited<ReturnType<typeof connectAgent>>[] = [];
for (let at = 0; at < plan.agents.length; at += AT_ONCE) {
  connected.push(...(await Promise.all(plan.agents.slice(at, at + AT_ONCE).map(connectAgent))));
}

let sent = 0;
serveTurns(async () => {
  const { agent, socket } = connected[sent % connected.length] ?? {};
  if (agent === undefined || socket === undefined) throw new Error("nobody is connected");
  sent += 1;
  const bytes = randomBytes(ENVELOPE_BYTES);
  // The unencrypted envelope version; the hub opens none.
  bytes[0] = 0;
  const encrypted_payload = bytes.toString("base64");
  const arrived = new Promise<void>((resolve) => awaited.set(encrypted_payload, resolve));
  const { conversation_id } = agent;
  socket.send(
    JSON.stringify({
      type: "message.send",
      client_message_id: `message-${sent}`,
      conversation_id,
      content_type: "text",
      encrypted_payload,
    }),
  );
  await arrived;
  awaited.delete(encrypted_payload);
});
