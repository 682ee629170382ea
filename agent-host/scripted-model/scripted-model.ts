import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { chatWire } from "./chat-wire.ts";
import { geminiWire } from "./gemini-wire.ts";
import { messagesWire } from "./messages-wire.ts";
import { responsesWire } from "./responses-wire.ts";
import type { KeyedRequest, ScriptedTurn } from "./script.ts";
import type { StreamEvent, Wire } from "./wire.ts";

/**
 * A script may also fail like a model's API, or never answer.
 * @param body of the request, unchanged
 */
export type ModelScript = (
  asked: KeyedRequest,
  body: object,
) => ScriptedTurn | { readonly status: number } | "silence";

export interface ScriptedModel extends AsyncDisposable {
  /** `http://127.0.0.1:…`; for OpenAI's clients, append `/v1`. */
  readonly url: string;
  /** Number of requests waiting for an answer. */
  readonly open: number;
}

const WIRES: readonly Wire[] = [chatWire, responsesWire, messagesWire, geminiWire];
const isAt = ({ path }: Wire, asked: string): boolean =>
  typeof path === "string" ? path === asked : path.test(asked);

/** A model on loopback whose answers are scripted, over the APIs that real clients use. */
export async function scriptedModel(script: ModelScript): Promise<ScriptedModel> {
  let open = 0;
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const [path = ""] = request.url?.split("?") ?? [];
    const wire = WIRES.find((each) => isAt(each, path));
    if (wire === undefined) return void response.writeHead(404).end();
    const body = JSON.parse(await read(request));
    const turn = script({ ...wire.read(body), key: keyOf(request) }, body);
    if (turn === "silence") return;
    if ("status" in turn) return fail(response, turn.status);
    if (wire.streams?.(path) ?? body.stream === true) return stream(response, wire.stream(turn));
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(wire.whole(turn)));
  };
  const server = createServer((request, response) => {
    open += 1;
    response.once("close", () => {
      open -= 1;
    });
    answer(request, response).catch((error: unknown) => {
      fail(response, 500, String(error));
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get open() {
      return open;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

/** Anthropic's and Google's APIs have headers of their own for it. */
function keyOf({ headers }: IncomingMessage): string | null {
  const { authorization = "" } = headers;
  const key = headers["x-api-key"] ?? headers["x-goog-api-key"];
  return typeof key === "string" ? key : (/^Bearer (.+)$/.exec(authorization)?.[1] ?? null);
}

function fail(response: ServerResponse, status: number, message = "scripted"): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify({ type: "error", error: { type: "scripted", message } }));
}

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part);
  return Buffer.concat(parts).toString("utf8");
}

function stream(response: ServerResponse, events: readonly StreamEvent[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const { event, data } of events) {
    if (event !== undefined) response.write(`event: ${event}\n`);
    response.write(`data: ${typeof data === "string" ? data : JSON.stringify(data)}\n\n`);
  }
  response.end();
}
