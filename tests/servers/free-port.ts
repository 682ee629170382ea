import { once } from "node:events";
import { createServer, type Server } from "node:net";

/** A port of loopback that nobody listens on now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const port = portOf(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}

export function portOf(server: Server): number {
  const address = server.address();
  return typeof address === "object" && address !== null ? address.port : 0;
}
