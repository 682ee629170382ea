import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";

export interface Site {
  /** `127.0.0.1:port` */
  readonly host: string;
  readonly url: string;
  close(): void;
}

/** A site on this computer that answers so. */
export async function openSite(answer: RequestListener): Promise<Site> {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { host, url: `http://${host}/`, close };
}
