import type { Server } from "node:net";

/** For tests: at which of its addresses a server was reached, in order. */
export async function arrivalsAt(server: Server, port: number) {
  let arrived: string[] = [];
  server.on("connection", ({ localAddress = "" }) => {
    arrived.push(localAddress.replace(/^::ffff:(?=\d+\.)/u, ""));
  });
  await new Promise<void>((resolve) => server.listen(port, "::", resolve));
  return {
    /** Those since the last call. */
    taken(): readonly string[] {
      const taken = arrived;
      arrived = [];
      return taken;
    },
  };
}
