import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  isInitializeRequest,
  isJsonContentType,
  type JSONRPCMessage,
  type McpServerFactory,
  parseJSONRPCMessage,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/server";
import { HttpSession } from "./http-session.ts";

type SessionServer = Awaited<ReturnType<McpServerFactory>>;

/** What a client may list. */
export type Listed = "tools" | "prompts";

interface Opened {
  readonly session: HttpSession;
  readonly server: SessionServer;
}

/** How many are kept; with one more, the one that was idle longest ends. */
const SESSIONS_MAX = 8;
/** Messages in one request, of the revisions that may send several. */
const BATCH_MAX = 100;
/** How many ids are remembered that clients have ended and must not use again. */
const ENDED_MAX = 100;
/** Visible ASCII, as the protocol has it; ours are UUIDs. */
const SESSION_ID = /^[!-~]{1,128}$/;

/**
 * Sessions of the revisions up to 2025-11-25. A session carries no permission: the request's token does. So an
 * id that is not known, because the program was started again or too many sessions were open, gets a
 * session of its own: many clients would give up otherwise.
 */
export class HttpSessions {
  readonly #factory: McpServerFactory;
  readonly #report: (error: unknown) => void;
  /** The one used last is at the end. */
  readonly #open = new Map<string, Promise<Opened>>();
  /** By their clients. */
  readonly #ended = new Set<string>();

  constructor(factory: McpServerFactory, report: (error: unknown) => void) {
    this.#factory = factory;
    this.#report = report;
  }

  /** Whether a request is of a session, or begins one; `body` is undefined for other methods than POST. */
  static isOf({ headers }: IncomingMessage, body: unknown): boolean {
    return headers["mcp-session-id"] !== undefined || isInitializeRequest(body);
  }

  /** @param body what a POST said; undefined: no JSON, or another method */
  async serve(request: IncomingMessage, response: ServerResponse, body: unknown): Promise<void> {
    const { headers, method } = request;
    const id = headers["mcp-session-id"] ?? randomUUID();
    const version = headers["mcp-protocol-version"];
    if (typeof id !== "string" || !SESSION_ID.test(id) || this.#ended.has(id)) {
      return refuse(response, 404, -32_001, "Session not found");
    }
    if (version !== undefined && !SUPPORTED_PROTOCOL_VERSIONS.includes(String(version))) {
      return refuse(response, 400, -32_000, "Bad Request: Unsupported protocol version");
    }
    switch (method) {
      case "POST":
        return this.#post(id, request, response, body);
      case "GET":
        return this.#listen(id, request, response);
      case "DELETE":
        this.#remember(id);
        await this.#end(id);
        return void response.writeHead(200).end();
      default:
        response.setHeader("Allow", "GET, POST, DELETE");
        return refuse(response, 405, -32_000, "Method not allowed");
    }
  }

  changed(list: Listed): void {
    for (const opened of this.#open.values()) {
      const told = opened.then(({ server }) =>
        list === "tools" ? server.sendToolListChanged() : server.sendPromptListChanged(),
      );
      told.catch(this.#report);
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((id) => this.#end(id)));
  }

  async #post(
    id: string,
    { headers }: IncomingMessage,
    response: ServerResponse,
    body: unknown,
  ): Promise<void> {
    if (!ANSWER_TYPES.every((type) => takes(headers.accept, type))) {
      return refuse(response, 406, -32_000, "Not Acceptable: JSON and event streams are needed");
    }
    if (!isJsonContentType(headers["content-type"] ?? null)) {
      return refuse(response, 415, -32_000, "Unsupported Media Type: JSON is needed");
    }
    const messages = messagesIn(body);
    if (messages === null)
      return refuse(response, 400, -32_700, "Parse error: no JSON-RPC message");
    const { session } = await this.#opened(id);
    if (!session.post(messages, response)) {
      refuse(response, 400, -32_600, "Invalid Request: the id of a request is in use");
    }
  }

  async #listen(id: string, { headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!takes(headers.accept, "text/event-stream")) {
      return refuse(response, 406, -32_000, "Not Acceptable: an event stream is needed");
    }
    const { session } = await this.#opened(id);
    if (!session.listen(response)) {
      refuse(response, 409, -32_000, "Conflict: the session has such a stream");
    }
  }

  async #opened(id: string): Promise<Opened> {
    const opened = this.#open.get(id) ?? this.#begin(id);
    this.#open.delete(id);
    this.#open.set(id, opened);
    if (this.#open.size > SESSIONS_MAX) await this.#endOldest(id);
    return opened;
  }

  async #begin(id: string): Promise<Opened> {
    const server = await this.#factory({ era: "legacy" });
    const session = new HttpSession(id);
    await server.connect(session);
    return { session, server };
  }

  /** @param kept not this one, which is about to be used */
  async #endOldest(kept: string): Promise<void> {
    for (const [id, opened] of this.#open) {
      if (id !== kept && (await opened).session.isIdle) return this.#end(id);
    }
  }

  #remember(id: string): void {
    const [first] = this.#ended;
    if (first !== undefined && this.#ended.size >= ENDED_MAX) this.#ended.delete(first);
    this.#ended.add(id);
  }

  async #end(id: string): Promise<void> {
    const opened = this.#open.get(id);
    this.#open.delete(id);
    await (await opened)?.server.close();
  }
}

/** Null: not all of it are messages, or it has none or too many. */
function messagesIn(body: unknown): readonly JSONRPCMessage[] | null {
  const all: readonly unknown[] = Array.isArray(body) ? body : [body];
  if (all.length === 0 || all.length > BATCH_MAX) return null;
  try {
    return all.map(parseJSONRPCMessage);
  } catch {
    return null;
  }
}

/** In which a request may be answered. */
export const ANSWER_TYPES = ["application/json", "text/event-stream"] as const;

/** As RFC 9110 §12.5.1 has it: whoever says nothing takes anything, and the most precise range counts. */
export function takes(accept: string | undefined, type: string): boolean {
  if (accept === undefined) return true;
  const ranges = accept.split(",").map((range) => {
    const [name = "", ...parameters] = range
      .toLowerCase()
      .split(";")
      .map((part) => part.trim());
    return { name, isRefused: parameters.some((each) => /^q\s*=\s*0(?:\.0*)?$/.test(each)) };
  });
  const wanted = [type, `${type.slice(0, type.indexOf("/"))}/*`, "*/*"];
  const found = wanted.flatMap((each) => ranges.find(({ name }) => name === each) ?? []);
  return found[0]?.isRefused === false;
}

function refuse(response: ServerResponse, status: number, code: number, message: string): void {
  response
    .writeHead(status, { "Content-Type": "application/json" })
    .end(JSON.stringify({ jsonrpc: "2.0", error: { code, message }, id: null }));
}
