import { createServer, type IncomingHttpHeaders, type Server } from "node:http";

export interface Received {
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the body it just provoked
  readonly json: any;
}

/** A webhook agent's endpoint on loopback that remembers every post, and answers as it is told. */
export class WebhookEndpoint {
  readonly received: Received[] = [];
  /** What the next posts are answered with, in order; 200 when it has run out. `hang`: nothing. */
  readonly answers: (number | "hang")[] = [];
  readonly #server: Server;
  #wake: () => void = () => undefined;
  #port = 0;

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        const rawBody = Buffer.concat(chunks).toString("utf8");
        this.received.push({ headers: request.headers, rawBody, json: JSON.parse(rawBody) });
        const answer = this.answers.shift() ?? 200;
        if (answer !== "hang") response.writeHead(answer, { location: this.url }).end("ignored");
        this.#wake();
      });
    });
  }

  static async open(): Promise<WebhookEndpoint> {
    const endpoint = new WebhookEndpoint();
    await new Promise<void>((resolve) => endpoint.#server.listen(0, "127.0.0.1", resolve));
    const address = endpoint.#server.address();
    if (typeof address === "object" && address !== null) endpoint.#port = address.port;
    return endpoint;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/hook`;
  }

  /** The bodies' types, in the order they came. */
  get types(): string[] {
    return this.received.map(({ json }) => String(json.type));
  }

  /** The post with this number (from 1), when it has come. */
  async nth(number: number): Promise<Received> {
    for (;;) {
      const found = this.received[number - 1];
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
  }
}
