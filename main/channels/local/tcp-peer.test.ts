import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import {
  type AddressInfo,
  createConnection,
  createServer,
  type Socket,
  type TcpNetConnectOpts,
} from "node:net";
import { expect, it } from "vitest";
import { tcpPeer } from "./tcp-peer.ts";

/** What is told of a connection that this process makes. */
async function peerOf(from: Pick<TcpNetConnectOpts, "host" | "localAddress">) {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const own = createConnection({ ...from, port });
  const [arrived] = (await once(server, "connection")) as [Socket];
  try {
    return await tcpPeer(arrived);
  } finally {
    for (const socket of [own, arrived]) socket.destroy();
    server.close();
  }
}

it.runIf(process.platform === "linux")(
  "tells no account from another loopback address, where it would not look",
  async () => {
    expect(await peerOf({ host: "127.0.0.1", localAddress: "127.0.0.2" })).toEqual({
      kind: "other_account",
    });
  },
);

it.runIf(existsSync("/proc/net/tcp6"))(
  "tells the process behind an IPv6 socket that is connected to the IPv4 address",
  async () => {
    expect(await peerOf({ host: "::ffff:127.0.0.1" })).toEqual({ kind: "own", pid: process.pid });
  },
);

it.runIf(process.platform === "linux")(
  "tells the process behind each of many connections that come at the same time",
  async () => {
    const arrived: Socket[] = [];
    const server = createServer((socket) => arrived.push(socket)).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const script = `setInterval(() => {}, 1e6); const { createConnection } = require("node:net");
      for (let n = 0; n < 8; n += 1) createConnection(${port}, "127.0.0.1");`;
    const child = spawn(process.execPath, ["-e", script]);
    const own = Array.from({ length: 8 }, () => createConnection(port, "127.0.0.1"));
    try {
      while (arrived.length < 16) await once(server, "connection");
      const ports = new Set(own.map(({ localPort }) => localPort));
      const peers = await Promise.all(arrived.map(tcpPeer));
      expect(peers).toEqual(
        arrived.map(({ remotePort }) => ({
          kind: "own",
          pid: ports.has(remotePort) ? process.pid : child.pid,
        })),
      );
    } finally {
      child.kill();
      for (const socket of [...own, ...arrived]) socket.destroy();
      server.close();
    }
  },
);
