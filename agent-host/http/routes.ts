import { Hono, type MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { CHAT_LIMITS, readChatRequest } from "../chat/chat-request.ts";
import { chooseTools } from "../chat/choose-tools.ts";
import type { KeyStore } from "../keys/key-file.ts";
import type { FindModel } from "../providers.ts";
import type { HostTool } from "../tools/host-tool.ts";
import { answerChat } from "./answer-chat.ts";
import { ApiError } from "./api-error.ts";
import { openApi } from "./openapi.ts";

export interface HostParts {
  readonly findModel: FindModel;
  readonly tools: ReadonlyMap<string, HostTool>;
  readonly keys: Pick<KeyStore, "nameOf">;
  readonly requestsPerMinute: number;
  /** Milliseconds that one chat may take; two minutes without it. */
  readonly runMs?: number;
  /** Times a model is asked again that was busy or failed; twice without it. */
  readonly retries?: number;
}

/** Seed 004's API. */
export function hostRoutes(parts: HostParts): Hono {
  const app = new Hono();
  app.onError((error, c) => {
    const known =
      error instanceof ApiError
        ? error
        : new ApiError("InternalServerError", "The host failed; nothing more is known.");
    const { retryAfter } = known.details;
    if (retryAfter !== undefined) c.header("Retry-After", String(retryAfter));
    if (known.name === "Unauthorized") c.header("WWW-Authenticate", "Bearer");
    return c.json(known.body, known.status);
  });
  app.notFound(() => {
    throw new ApiError("NotFound", "There is nothing at this address.");
  });
  app.use(async (c, next) => {
    await next();
    c.header("Cache-Control", "no-store");
    c.header("X-Content-Type-Options", "nosniff");
  });
  // The document describes nothing that the source does not, so it needs no key.
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

  for (const path of ["/api/v1/chat", "/api/v1/tools", "/api/v1/openapi.json"]) {
    app.all(path, () => {
      throw new ApiError("MethodNotAllowed", "This method is not offered here.");
    });
  }
  return app;
}

/** A Bearer key that is ours, and not used too often. */
function keyed({ keys, requestsPerMinute }: HostParts): MiddlewareHandler {
  const limiter = new RateLimiterMemory({ points: requestsPerMinute, duration: 60 });
  return async (c, next) => {
    const key = /^Bearer ([\w-]+)$/i.exec(c.req.header("authorization") ?? "")?.[1];
    const name = key === undefined ? null : await keys.nameOf(key);
    if (name === null) {
      throw new ApiError("Unauthorized", "A valid Bearer key is needed.");
    }
    try {
      await limiter.consume(name);
    } catch (refused) {
      if (!(refused instanceof RateLimiterRes)) throw refused;
      const retryAfter = Math.ceil(refused.msBeforeNext / 1_000);
      throw new ApiError("TooManyRequests", `Try again in ${retryAfter} s.`, { retryAfter });
    }
    await next();
  };
}

const limited = (): MiddlewareHandler =>
  bodyLimit({
    maxSize: CHAT_LIMITS.bodyBytes,
    onError: () => {
      const maxBytes = CHAT_LIMITS.bodyBytes;
      throw new ApiError("PayloadTooLarge", `A request has ${maxBytes} bytes at most.`, {
        maxBytes,
      });
    },
  });

/** @throws ApiError BadRequest */
async function jsonOf(request: Request): Promise<unknown> {
  try {
    return await request.json();
  } catch {
    throw new ApiError("BadRequest", "The body is not JSON.", { faults: [{ path: "" }] });
  }
}
