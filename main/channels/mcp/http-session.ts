import type { ServerResponse } from "node:http";
import {
  isJSONRPCRequest,
  type JSONRPCMessage,
  type RequestId,
  type Transport,
  type TransportSendOptions,
} from "@modelcontextprotocol/server";
import Type from "typebox";
import { guardOf } from "../../../app/contract/checked.ts";

/** In milliseconds. Clients end a response that says nothing for minutes. */
const ALIVE_MS = 15_000;

const isCancellation = guardOf(
  Type.Object({
    method: Type.Literal("notifications/cancelled"),
    params: Type.Object({ requestId: Type.Union([Type.String(), Type.Number()]) }),
  }),
);

/** The requests of one POST that have no answer yet. */
interface Exchange {
  readonly response: ServerResponse;
  readonly open: Set<RequestId>;
  readonly isBatch: boolean;
}

/**
 * One session of the revisions up to 2025-11-25 over Streamable HTTP. A request is answered with one JSON
 * value in one write, unless something is said before the answer: a stream of events costs both ends
 * several times as much. What belongs to no request goes to the stream that the client opens with GET.
 */
export class HttpSession implements Transport {
  readonly sessionId: string;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];
  readonly #exchanges = new Map<RequestId, Exchange>();
  #stream: ServerResponse | undefined;

  constructor(sessionId: string) {
    this.sessionId = sessionId;
  }

  /** Whether no request waits for its answer. */
  get isIdle(): boolean {
    return this.#exchanges.size === 0;
  }

  async start(): Promise<void> {
    // It is open from the beginning.
  }

  /**
   * What one POST said. A client that closes it before the answer has cancelled its requests; of one that
   * is closed already, none is begun.
   * @returns false: a request has the number of one that is not answered yet
   */
  post(messages: readonly JSONRPCMessage[], response: ServerResponse): boolean {
    const requests = response.destroyed ? [] : messages.filter(isJSONRPCRequest);
    const open = new Set(requests.map(({ id }) => id));
    if (open.size < requests.length || requests.some(({ id }) => this.#exchanges.has(id))) {
      return false;
    }
    response.setHeader("Mcp-Session-Id", this.sessionId);
    const exchange = { response, open, isBatch: messages.length > 1 };
    for (const id of open) this.#exchanges.set(id, exchange);
    if (open.size === 0) response.writeHead(202).end();
    else response.once("close", () => this.#left(exchange));
    for (const message of messages) {
      if (isJSONRPCRequest(message) && !open.has(message.id)) continue;
      this.onmessage?.(message);
      // To a request that its client has cancelled the server says nothing any more.
      if (isCancellation(message)) this.#over(message.params.requestId);
    }
    return true;
  }

  /** @returns false: the client has such a stream */
  listen(response: ServerResponse): boolean {
    if (response.destroyed) return true;
    if (this.#stream !== undefined) return false;
    this.#stream = response;
    response.setHeader("Mcp-Session-Id", this.sessionId);
    beginEvents(response).flushHeaders();
    const alive = setInterval(() => response.write(": alive\n\n"), ALIVE_MS);
    alive.unref();
    response.once("close", () => {
      clearInterval(alive);
      this.#stream = undefined;
    });
    return true;
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const answered = "method" in message ? undefined : message.id;
    const about = answered ?? options?.relatedRequestId;
    if (about === undefined) {
      if (this.#stream !== undefined) writeEvent(this.#stream, message);
      return;
    }
    const exchange = this.#exchanges.get(about);
    // Its client has gone.
    if (exchange === undefined) return;
    const { response, open, isBatch } = exchange;
    const isLast = open.size === 1 && answered !== undefined;
    if (isLast && !isBatch && !response.headersSent) {
      response.setHeader("Content-Type", "application/json").end(JSON.stringify(message));
    } else writeEvent(response, message);
    if (answered !== undefined) this.#over(answered);
  }

  async close(): Promise<void> {
    const open = new Set([...this.#exchanges.values()].map(({ response }) => response));
    if (this.#stream !== undefined) open.add(this.#stream);
    this.#exchanges.clear();
    for (const response of open) {
      if (response.headersSent) response.end();
      else response.destroy();
    }
    this.onclose?.();
  }

  #over(request: RequestId): void {
    const exchange = this.#exchanges.get(request);
    if (exchange === undefined) return;
    const { response, open } = exchange;
    this.#exchanges.delete(request);
    open.delete(request);
    if (open.size > 0 || response.writableEnded) return;
    if (!response.headersSent) beginEvents(response);
    response.end();
  }

  #left({ open }: Exchange): void {
    for (const requestId of open) {
      this.#exchanges.delete(requestId);
      const params = { requestId, reason: "The client has closed the response." };
      this.onmessage?.({ jsonrpc: "2.0", method: "notifications/cancelled", params });
    }
  }
}

const beginEvents = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, {
    "Content-Type": "text/event-stream",
    "Cache-Control": "no-cache, no-transform",
  });

function writeEvent(response: ServerResponse, message: JSONRPCMessage): void {
  if (!response.headersSent) beginEvents(response);
  response.write(`event: message\ndata: ${JSON.stringify(message)}\n\n`);
}
