import { once } from "node:events";
import { type WebSocket, WebSocketServer } from "ws";
import { serveRelay } from "./serve-relay.ts";

/**
 * The cost of relaying alone: `ws` passes each agent's frame to the person and acknowledges it.
 * There is no authentication, checking, storing or numbering.
 */
const [count = "1"] = process.argv.slice(2);
const server = new WebSocketServer({ host: "127.0.0.1", port: 0 });
let person: WebSocket | undefined;
server.on("connection", (socket, { url = "" }) => {
  if (url === "/ws/human") person = socket;
  else {
    socket.on("message", (data) => {
      person?.send(String(data));
      socket.send('{"type":"message.ack"}');
    });
  }
});
await once(server, "listening");
const address = server.address();
const port = typeof address === "object" && address !== null ? address.port : 0;
const agents = Array.from({ length: Number(count) }, (_, at) => {
  return { agent_id: `agent-${at}`, token: "", conversation_id: `conversation-${at}` };
});
serveRelay({ url: `ws://127.0.0.1:${port}`, personToken: null, agents }, async () => {
  for (const socket of server.clients) socket.terminate();
  server.close();
});
