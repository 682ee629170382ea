import { once } from "node:events";
import { connect, createServer } from "node:net";
import * as dbus from "@jellybrick/dbus-next";

/** A body of one number, and of one file descriptor: as many bytes, and none comes along. */
const NUMBER = Buffer.from([1, "u".charCodeAt(0), 0]);
const DESCRIPTOR = "h".charCodeAt(0);

/**
 * Sends a peer of the bus a signal that the bus lets pass and the package cannot read.
 * @param to the peer's unique name
 * @param proxyPath where a socket may be made that rewrites what is sent
 */
export async function sendUnreadable(
  busAddress: string,
  proxyPath: string,
  to: string,
): Promise<void> {
  const real = busAddress.replace(/^unix:path=/, "");
  const proxy = createServer((client) => {
    const bus = connect(real);
    client.on("data", (bytes) => bus.write(asDescriptor(bytes)));
    bus.pipe(client);
    client.on("close", () => bus.destroy());
  });
  proxy.listen(proxyPath);
  await once(proxy, "listening");
  const peer = dbus.sessionBus({ busAddress: `unix:path=${proxyPath}` });
  await once(peer, "connect");
  const signal = dbus.Message.newSignal("/x", "org.example.X", "X", "u", [0]);
  signal.destination = to;
  peer.send(signal);
  // Answered after the signal was passed on: the bus keeps the order.
  await peer.releaseName("org.example.none").catch(() => {});
  peer.disconnect();
  proxy.close();
}

function asDescriptor(bytes: Buffer | string): Buffer {
  const sent = Buffer.from(bytes);
  const at = sent.indexOf(NUMBER);
  if (at !== -1) sent[at + 1] = DESCRIPTOR;
  return sent;
}
