import type { ServerResponse } from "node:http";
import {
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";

type ToldServer = Awaited<ReturnType<McpServerFactory>>;

/** What a client may list. */
export type Listed = "tools" | "prompts";

/** How many stay open; with one more, the oldest ends. */
const STREAMS_MAX = 8;

/** Streams on which clients of the older revisions hear what changes; they open them with GET. */
export class HttpStreams {
  readonly #factory: McpServerFactory;
  readonly #report: (error: unknown) => void;
  readonly #open = new Set<ToldServer>();

  constructor(factory: McpServerFactory, report: (error: unknown) => void) {
    this.#factory = factory;
    this.#report = report;
  }

  /** Resolves when the stream has ended. */
  async serve(request: Request, response: ServerResponse): Promise<void> {
    const server = await this.#factory({ era: "legacy", requestInfo: request });
    const transport = new WebStandardStreamableHTTPServerTransport();
    await server.connect(transport);
    response.once("close", () => void this.#end(server).catch(this.#report));
    const { status, headers, body } = await transport.handleRequest(request);
    response.writeHead(status, Object.fromEntries(headers)).flushHeaders();
    if (status === 200) await this.#keep(server);
    for await (const part of body ?? []) response.write(part);
    response.end();
  }

  changed(list: Listed): void {
    for (const server of this.#open) {
      const told = list === "tools" ? server.sendToolListChanged() : server.sendPromptListChanged();
      void Promise.resolve(told).catch(this.#report);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open].map((server) => this.#end(server)));
  }

  async #keep(server: ToldServer): Promise<void> {
    const [oldest] = this.#open;
    if (oldest !== undefined && this.#open.size >= STREAMS_MAX) await this.#end(oldest);
    this.#open.add(server);
  }

  #end(server: ToldServer): Promise<void> {
    this.#open.delete(server);
    return server.close();
  }
}
