import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Server } from "node:net";

export interface OwnPorts {
  /** The TCP ports that this process listens on at this moment. */
  list(): readonly number[];
  /** Stops watching; ports noted so far stay known. */
  end(): void;
}

const LISTENS = "tracing:net.server.listen:asyncEnd";

/**
 * Records every server of this process that begins to listen from now on, so that no part of the
 * program can forget to report its port (threats: reaching ourselves).
 */
export function watchOwnPorts(): OwnPorts {
  const servers = new Set<Server>();
  const note = (message: unknown): void => {
    const { server } = message as { readonly server: Server };
    servers.add(server);
    server.once("close", () => servers.delete(server));
  };
  subscribe(LISTENS, note);
  return {
    list: () =>
      [...servers].flatMap((server) => {
        const address = server.address();
        return address === null || typeof address === "string" ? [] : [address.port];
      }),
    end: () => unsubscribe(LISTENS, note),
  };
}
