import { once } from "node:events";
import { connect, type Socket } from "node:net";

/** Sends `text` as it is, for what no HTTP client would send. @returns all that came back */
export function rawRequest(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    let answer = "";
    socket.on("data", (chunk) => {
      answer += String(chunk);
    });
    socket.on("end", () => resolve(answer));
    socket.on("error", reject);
  });
}

/** Sends `text`, waits until the other side has ended, and keeps its own side open. */
export async function heldOpen(port: number, text: string): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", allowHalfOpen: true }, () =>
    socket.write(text),
  ).resume();
  await once(socket, "end");
  return socket;
}

/** A request with these header lines, each of them as often as it is there. */
export const requestText = (method: string, path: string, headers: readonly string[]): string =>
  [`${method} ${path} HTTP/1.1`, ...headers, "", ""].join("\r\n");

/** What a WebSocket client sends besides its Host. */
export const UPGRADE_HEADERS = [
  "Connection: Upgrade",
  "Upgrade: websocket",
  "Sec-WebSocket-Version: 13",
  "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
] as const;
