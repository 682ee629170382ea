import { type IncomingMessage, type Server, STATUS_CODES } from "node:http";
import type { Duplex } from "node:stream";
import { WebSocketServer } from "ws";
import { MAX_FRAME_BYTES } from "../../app/protocol/v1/frames.ts";
import { HUB_ERRORS } from "../../app/protocol/v1/rest.ts";
import { errorBody, isRefusal, type Refusal, refusal } from "../hub-error.ts";
import { type Line, websocketLine } from "../lines/line.ts";
import { SECURITY_HEADERS } from "../rest/serve-rest.ts";
import type { Entrance } from "./hub-session-host.ts";

/** Turns WebSocket upgrades of `server` into lines. @param admit throws a Refusal @returns a function that cuts them all */
export function acceptUpgrades(
  server: Server,
  admit: (request: IncomingMessage) => void,
  enter: (line: Line, entrance: Entrance) => void,
): () => void {
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    perMessageDeflate: false,
  });
  server.on("upgrade", (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // A peer that resets the line while it is being refused must not bring the hub down.
    socket.on("error", () => socket.destroy());
    try {
      admit(request);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return refuseUpgrade(socket, error);
    }
    const entrance = entranceOf(request.url ?? "");
    if (entrance === undefined) return refuseUpgrade(socket, refusal("NOT_FOUND"));
    sockets.handleUpgrade(request, socket, head, (opened) =>
      enter(websocketLine(opened, socket), entrance),
    );
  });
  return () => {
    for (const socket of sockets.clients) socket.terminate();
    sockets.close();
  };
}

function entranceOf(url: string): Entrance | undefined {
  const [path, query = ""] = url.split("?", 2);
  if (path === "/ws/human") return { kind: "human" };
  if (path !== "/ws/agent") return undefined;
  return { kind: "agent", agentId: new URLSearchParams(query).get("agent_id") ?? undefined };
}

function refuseUpgrade(socket: Duplex, { code, details }: Refusal): void {
  const status = HUB_ERRORS[code];
  const body = JSON.stringify({ error: errorBody(code, details) });
  const headers = {
    ...SECURITY_HEADERS,
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(body)),
    Connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const head = [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ""}`, ...lines];
  // The server no longer knows this socket: half-closed, it would keep it from closing.
  socket.end([...head, "", body].join("\r\n"), () => socket.destroy());
}
