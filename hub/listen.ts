import type { Server } from "node:http";
import { HubError } from "./hub-error.ts";

/** @returns the port, also when 0 asked for any free one. @throws HubError */
export function listen(server: Server, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const code = error.code === "EADDRINUSE" ? "port_in_use" : "listen_failed";
      reject(new HubError(code, { cause: error }));
    });
    server.listen({ host: "127.0.0.1", port, exclusive: true }, () => {
      const address = server.address();
      if (typeof address === "object" && address !== null) resolve(address.port);
      else reject(new HubError("listen_failed"));
    });
  });
}
