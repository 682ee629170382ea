import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { expect, it } from "vitest";
import { WebSocket, WebSocketServer } from "ws";
import { type Line, websocketLine } from "./line.ts";

interface Ends {
  readonly line: Line;
  readonly wire: Duplex;
  readonly client: WebSocket;
}

async function connected(use: (ends: Ends) => Promise<void>): Promise<void> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const sockets = new WebSocketServer({ noServer: true });
  const accepted = new Promise<Omit<Ends, "client">>((resolve) => {
    server.on("upgrade", (request, wire, head) =>
      sockets.handleUpgrade(request, wire, head, (socket) =>
        resolve({ line: websocketLine(socket, wire), wire }),
      ),
    );
  });
  const { port } = server.address() as AddressInfo;
  const client = new WebSocket(`ws://127.0.0.1:${port}`);
  try {
    await use({ ...(await accepted), client });
  } finally {
    client.terminate();
    for (const socket of sockets.clients) socket.terminate();
    server.close();
  }
}

it("sends the frames of one turn in one write, in their order", () =>
  connected(async ({ line, wire, client }) => {
    const { _writev: write } = wire;
    let writes = 0;
    wire._writev = (chunks, done) => {
      writes += 1;
      write?.call(wire, chunks, done);
    };
    const got: string[] = [];
    client.on("message", (data) => got.push(String(data)));
    for (const text of ["a", "b"]) line.send(text);
    await Promise.resolve();
    line.send("c");
    while (got.length < 3) await once(client, "message");
    expect(got).toEqual(["a", "b", "c"]);
    expect(writes).toBe(1);
  }));

it("has sent everything, and why it closes, before it is cut", () =>
  connected(async ({ line, wire, client }) => {
    const got: string[] = [];
    client.on("message", (data) => got.push(String(data)));
    line.send("last");
    line.close(4_001, "because");
    wire.destroy();
    const [code, reason] = await once(client, "close");
    expect([got, code, String(reason)]).toEqual([["last"], 4_001, "because"]);
  }));

it("ends also while nothing is read", () =>
  connected(async ({ line, client }) => {
    await once(client, "open");
    line.pause?.();
    line.close(1000);
    await once(client, "close");
  }));
