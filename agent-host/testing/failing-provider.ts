import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** What a provider sends with status 200 where it should answer. */
export interface Sent {
  readonly body: string;
  /** `text/event-stream` when absent. */
  readonly type?: string;
  /** The connection is lost after the body, before the response has ended. */
  readonly isCut?: boolean;
}

/** An event of a Chat Completions stream. */
export const chunk = (content: string, finish_reason: string | null = null): string => {
  const choices = [{ index: 0, delta: { content }, finish_reason }];
  const frame = { id: "1", object: "chat.completion.chunk", created: 0, model: "m", choices };
  return `data: ${JSON.stringify(frame)}\n\n`;
};

export interface FailingProvider extends AsyncDisposable {
  readonly baseUrl: string;
  /** Every request's body. */
  readonly bodies: readonly string[];
}

/** A provider on loopback that answers each request with the next of these, and then the last again. */
export async function failingProvider(...answers: readonly Sent[]): Promise<FailingProvider> {
  const bodies: string[] = [];
  const server = createServer(async (request, response) => {
    let asked = "";
    for await (const piece of request) asked += piece;
    const answer = answers[Math.min(bodies.length, answers.length - 1)];
    bodies.push(asked);
    const { body = "", type = "text/event-stream", isCut = false } = answer ?? {};
    response.writeHead(200, { "content-type": type });
    if (isCut) response.write(body, () => response.destroy());
    else response.end(body);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    bodies,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
