import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import { Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { CHAT_LIMITS, chooseTools, readChatRequest } from "../chat/chat-request.ts";
import { sandboxError } from "../sandboxes/sandboxes.ts";
import { answerChat, type HostParts, type Keyed } from "./answer-chat.ts";
import { API_ERRORS, type ApiError, apiError, bodyOf, isApiError } from "./api-error.ts";
import { openApi } from "./openapi.ts";

/** Every route of the API; the first refusal is the response. */
export function hostRoutes(parts: HostParts): Hono<Keyed> {
  const app = new Hono<Keyed>();
  app.onError((error, c) => {
    const known = knownError(error);
    const { retryAfter } = known.details ?? {};
    if (retryAfter !== undefined) c.header("Retry-After", String(retryAfter));
    if (known.code === "Unauthorized") c.header("WWW-Authenticate", "Bearer");
    return c.json(bodyOf(known), API_ERRORS[known.code]);
  });
  app.notFound(() => {
    throw apiError("NotFound", "There is nothing at this address.");
  });
  app.use(async (c, next) => {
    await next();
    c.header("Cache-Control", "no-store");
    c.header("X-Content-Type-Options", "nosniff");
  });
  // The document contains nothing that is not in the source, so it needs no key.
  app.get("/api/v1/openapi.json", (c) => c.json(openApi()));
  app.use("/api/v1/*", keyed(parts));

  app.get("/api/v1/tools", (c) => {
    const tools = [...parts.tools.values()].map(
      ({ name, description, inputSchema, requiredContext }) => ({
        name,
        description,
        inputSchema,
        requiredContext,
      }),
    );
    return c.json({ success: true, data: { tools } });
  });

  app.post("/api/v1/chat", limited(), async (c) => {
    const request = readChatRequest(await jsonOf(c.req.raw));
    const model = parts.findModel(request.model);
    const chosen = chooseTools(parts.tools, request);
    return answerChat(c, parts, { request, model, chosen });
  });

  app.post("/api/v1/sandboxes", async (c) => {
    const { id: sandboxId, expiresAt } = await parts.sandboxes.create(c.get("key"));
    return c.json({ success: true, data: { sandboxId, expiresAt: expiresAt.toISOString() } }, 201);
  });
  app.delete("/api/v1/sandboxes/:id", async (c) => {
    await parts.sandboxes.remove(c.get("key"), c.req.param("id"));
    return c.body(null, 204);
  });

  for (const path of PATHS) {
    app.all(path, () => {
      throw apiError("MethodNotAllowed", "This method is not offered here.");
    });
  }
  return app;
}

const PATHS = [
  "/api/v1/chat",
  "/api/v1/tools",
  "/api/v1/sandboxes",
  "/api/v1/sandboxes/:id",
  "/api/v1/openapi.json",
];

function knownError(error: Error): ApiError {
  if (isApiError(error)) return error;
  if (!sandboxError.is(error)) {
    return apiError("InternalServerError", "The host failed; nothing more is known.");
  }
  const { code, message } = error;
  switch (code) {
    case "sandbox_unknown":
      return apiError("NotFound", message, { code });
    case "too_many_sandboxes":
      return apiError("TooManyRequests", message, { code });
    default:
      return apiError("ServiceUnavailable", message, { code });
  }
}

/** Requires a known Bearer key that is within its rate limit. */
function keyed({ keys, requestsPerMinute }: HostParts): MiddlewareHandler<Keyed> {
  const limiter = new RateLimiterMemory({ points: requestsPerMinute, duration: 60 });
  return async (c, next) => {
    const key = /^Bearer ([\w-]+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
    const name = key === undefined ? null : await keys.nameOf(key);
    if (name === null) {
      throw apiError("Unauthorized", "A valid Bearer key is needed.");
    }
    try {
      await limiter.consume(name);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      const retryAfter = Math.ceil(refused.msBeforeNext / 1_000);
      throw apiError("TooManyRequests", `Try again in ${retryAfter} s.`, { retryAfter });
    }
    c.set("key", name);
    await next();
  };
}

const limited = (): MiddlewareHandler<Keyed> =>
  bodyLimit({
    maxSize: CHAT_LIMITS.bodyBytes,
    onError: () => {
      const maxBytes = CHAT_LIMITS.bodyBytes;
      throw apiError("PayloadTooLarge", `A request has ${maxBytes} bytes at most.`, {
        maxBytes,
      });
    },
  });

/** @throws ApiError BadRequest */
async function jsonOf(request: Request): Promise<unknown> {
  try {
    return await request.json();
  } catch {
    throw apiError("BadRequest", "The body is not JSON.", { faults: [{ path: "" }] });
  }
}

interface ListenAddress {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
}

interface RunningHost extends AsyncDisposable {
  readonly url: string;
}

/** `127.0.0.1:4900`, `[::1]:0`; null if it is not a name or address with a port. */
export function readListen(text: string): ListenAddress | null {
  const [, six, plain, port] = /^(?:\[([0-9a-fA-F:]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = six ?? plain;
  const number = Number(port);
  return host === undefined || number > 65_535 ? null : { host, port: number };
}

export const isLoopback = ({ host }: ListenAddress): boolean =>
  host === "localhost" || host === "::1" || host.startsWith("127.");

// The library would print warnings about requests, but no request may be logged.
Reflect.set(globalThis, "AI_SDK_LOG_WARNINGS", false);

/** Listens until it is disposed of, which ends running chats. */
export async function serve(parts: HostParts, address: ListenAddress): Promise<RunningHost> {
  const server = createServer(getRequestListener(hostRoutes(parts).fetch));
  const listening = Promise.withResolvers<void>();
  server.once("error", listening.reject);
  server.listen(address.port, address.host, listening.resolve);
  await listening.promise;
  return { url: urlOf(server, address), [Symbol.asyncDispose]: () => close(server) };
}

function urlOf(server: Server, { host }: ListenAddress): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
