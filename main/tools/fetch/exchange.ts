import { connect as connectTcp, isIP, type LookupFunction, type Socket } from "node:net";
import type { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { connect as connectTls } from "node:tls";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import type { buildConnector, Client } from "undici";
import {
  FETCH_MAX_BODY_BYTES,
  FETCH_MAX_RESPONSE_HEADER_BYTES,
} from "../../../app/contract/tools/fetch-url.ts";
import { toolFailure } from "../../../app/execution/ports.ts";
import { lookupBy } from "../../../runtime/net/addresses.ts";
import { isRedirect, joinHeaders, type Request } from "./request.ts";

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
    throw error instanceof errors.HeadersOverflowError ? toolFailure("too_large") : error;
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

interface PinnedConnection {
  readonly connector: buildConnector.connector;
  /** Destroys every socket that was opened, even those still connecting. */
  destroy(): void;
}

/**
 * Connects to the given addresses only, one after the other until one answers. The Host header and
 * server name remain the host's. Nothing is looked up again (threats: rebinding).
 */
function pinnedConnection(addresses: readonly string[]): PinnedConnection {
  const sockets = new Set<Socket>();
  const lookup = lookupBy(async () => addresses);
  const connector: buildConnector.connector = (options, callback) => {
    const secure = options.protocol === "https:";
    const socket = openSocket(options, secure, lookup);
    sockets.add(socket);
    const settle = settleOnce(callback);
    // Stays for the socket's whole life: an error on an unused socket must not be thrown.
    socket.on("error", (error) => settle(error, null));
    socket.once("close", () => {
      sockets.delete(socket);
      settle(new Error("closed"), null);
    });
    socket.once(secure ? "secureConnect" : "connect", () => settle(null, socket));
  };
  return {
    connector,
    destroy: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

function openSocket(
  { hostname: host, port }: buildConnector.Options,
  secure: boolean,
  lookup: LookupFunction,
): Socket {
  const place = { host, lookup, autoSelectFamily: true, noDelay: true };
  if (!secure) return connectTcp({ ...place, port: Number(port || 80) });
  return connectTls({
    ...place,
    port: Number(port || 443),
    // RFC 6066 §3: no server name for an address literal.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ALPNProtocols: ["http/1.1"],
    // Otherwise an environment variable could turn it off.
    rejectUnauthorized: true,
  });
}

function settleOnce(
  callback: buildConnector.Callback,
): (...result: [null, Socket] | [Error, null]) => void {
  let settled = false;
  return (...result) => {
    if (settled) return;
    settled = true;
    callback(...result);
  };
}

/** The content codings that we ask for, and `deflate`, which some servers use unasked. */
const ACCEPTED_CODINGS = "gzip, br";

const DECODERS: ReadonlyMap<string, () => Transform> = new Map([
  ["gzip", createGunzip],
  ["x-gzip", createGunzip],
  ["br", createBrotliDecompress],
  ["deflate", createInflate],
]);

interface ReadBody {
  readonly bytes: Buffer;
  /** True if a content coding was removed; an unknown one stays, together with its header. */
  readonly decoded: boolean;
}

/**
 * The whole body, decompressed. Both the received and the decompressed bytes are checked against
 * the limit while they arrive, so a decompression bomb stops there.
 * @param progress called with the number of received bytes
 * @throws ToolFailure `too_large`; whatever the connection or the decoder throws
 */
async function readBody(
  body: Readable,
  coding: string | undefined,
  progress: (bytes: number) => void,
): Promise<ReadBody> {
  const counted = (source: AsyncIterable<Buffer>) => counting(source, progress);
  const decoder = DECODERS.get(coding?.trim().toLowerCase() ?? "")?.();
  const bytes =
    decoder === undefined
      ? await pipeline(body, counted, collect)
      : await pipeline(body, counted, capped, decoder, collect);
  return { bytes, decoded: decoder !== undefined };
}

async function* counting(
  source: AsyncIterable<Buffer>,
  progress: (bytes: number) => void,
): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of source) {
    size += chunk.byteLength;
    progress(size);
    yield chunk;
  }
}

async function* capped(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of source) {
    size += chunk.byteLength;
    if (size > FETCH_MAX_BODY_BYTES) throw toolFailure("too_large");
    yield chunk;
  }
}

/** Copies chunks at once, so that a body arriving byte by byte takes no extra memory. */
async function collect(source: AsyncIterable<Buffer>): Promise<Buffer> {
  const whole = Buffer.allocUnsafe(FETCH_MAX_BODY_BYTES);
  let size = 0;
  for await (const chunk of capped(source)) size += chunk.copy(whole, size);
  return whole.subarray(0, size);
}
