import type { Client } from "undici";
import { FETCH_MAX_RESPONSE_HEADER_BYTES } from "../../../app/contract/tools/fetch-url.ts";
import { ToolFailure } from "../../../app/execution/ports.ts";
import { pinnedConnection } from "./pinned-connection.ts";
import { ACCEPTED_CODINGS, type ReadBody, readBody } from "./read-body.ts";
import { isRedirect, type Request } from "./request.ts";
import { joinHeaders } from "./response-headers.ts";

export interface Exchanged extends ReadBody {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  /** The redirect's target, as the server wrote it; the body was then not read. */
  readonly location: string | null;
}

export interface Conduct {
  readonly signal: AbortSignal;
  /** Called with the number of body bytes so far. */
  readonly progress: (bytes: number) => void;
}

type Received = Awaited<ReturnType<Client["request"]>>;

/**
 * Sends one request to one of the addresses, over a new connection that is closed when this
 * settles: no pool, no proxy, no cookies. Only the signal limits its time.
 * @throws ToolFailure `too_large`; whatever the connection throws
 */
export async function exchange(
  request: Request,
  addresses: readonly string[],
  { signal, progress }: Conduct,
): Promise<Exchanged> {
  // Loading it takes longer than anything else at the start, and few calls need it.
  const { Client, errors } = await import("undici");
  signal.throwIfAborted();
  const connection = pinnedConnection(addresses);
  const client = new Client(request.url.origin, {
    connect: connection.connector,
    allowH2: false,
    pipelining: 0,
    // Otherwise an environment variable could select an experimental parser.
    useMilo: false,
    maxHeaderSize: FETCH_MAX_RESPONSE_HEADER_BYTES,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  const end = (): void => {
    connection.destroy();
    void client.destroy().catch(() => undefined);
  };
  signal.addEventListener("abort", end, { once: true });
  try {
    return await receive(request, await send(client, request, signal), progress);
  } catch (error) {
    throw error instanceof errors.HeadersOverflowError ? new ToolFailure("too_large") : error;
  } finally {
    signal.removeEventListener("abort", end);
    end();
  }
}

function send(client: Client, request: Request, signal: AbortSignal): Promise<Received> {
  const { url, method, headers, body } = request;
  return client.request({
    method,
    path: `${url.pathname}${url.search}`,
    headers: Object.fromEntries([
      ["user-agent", "Consentry"],
      ...headers,
      ["accept-encoding", ACCEPTED_CODINGS],
    ]),
    body,
    signal,
    reset: true,
  });
}

async function receive(
  request: Request,
  received: Received,
  progress: Conduct["progress"],
): Promise<Exchanged> {
  // If the connection ends before anybody reads the body, the error was already reported.
  received.body.on("error", () => undefined);
  const { statusCode: status } = received;
  const headers = joinHeaders(received.headers);
  const location = isRedirect(status) ? (headers.get("location") ?? null) : null;
  if (location !== null || hasNoBody(request, status, headers)) {
    return { status, headers, location, bytes: Buffer.alloc(0), decoded: false };
  }
  const read = await readBody(received.body, headers.get("content-encoding"), progress);
  return { status, headers, location, ...read };
}

/** RFC 9112 §6.3. A decoder would fail on an empty body. */
const hasNoBody = ({ method }: Request, status: number, headers: Exchanged["headers"]): boolean =>
  method === "HEAD" || status === 204 || status === 304 || headers.get("content-length") === "0";
