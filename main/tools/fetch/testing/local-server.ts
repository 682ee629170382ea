import {
  createServer as createHttpServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from "node:http";
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from "node:net";

interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** For tests: a loopback server that keeps track of its connections. */
export interface LocalServer extends AsyncDisposable {
  readonly port: number;
  /** `http://127.0.0.1:port` */
  readonly url: string;
  readonly sockets: ReadonlySet<Socket>;
  /** Number of connections since it started. */
  connections(): number;
  /** Resolves when no client is connected any more. */
  deserted(): Promise<void>;
}

export interface HttpServer extends LocalServer {
  readonly seen: readonly Seen[];
}

export type Answer = (response: ServerResponse, seen: Seen) => void;

export async function httpServer(answer: Answer): Promise<HttpServer> {
  const seen: Seen[] = [];
  const server = createHttpServer({ maxHeaderSize: 65_536 }, (request, response) => {
    void readAll(request).then((body) => {
      const { method = "", url: path = "", headers } = request;
      const one = { method, path, headers, body };
      seen.push(one);
      answer(response, one);
    });
  });
  return Object.assign(await listen(server), { seen });
}

/** Answers the first bytes of each connection with what `talk` writes. */
export function tcpServer(talk: (socket: Socket) => void): Promise<LocalServer> {
  return listen(createTcpServer((socket) => void socket.once("data", () => talk(socket))));
}

export async function listen(server: Server): Promise<LocalServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  let tell = (): void => undefined;
  server.on("connection", (socket: Socket) => {
    connections++;
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.once("close", () => {
      sockets.delete(socket);
      if (sockets.size === 0) tell();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    sockets,
    connections: () => connections,
    deserted: () =>
      new Promise((resolve) => {
        tell = resolve;
        if (sockets.size === 0) resolve();
      }),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
