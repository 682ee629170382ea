import { type HubAnswer, readHubAnswer } from "../app/protocol/link/hub-answer.ts";
import { AgentError } from "./errors.ts";
import type { AgentClock } from "./options.ts";

export type { HubAnswer };

/** In milliseconds: longer than the hub takes for a commit, short enough to try again. */
export const ANSWER_LIMIT_MS = 10_000;

export interface HubRequest {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  readonly path: string;
  readonly token?: string;
  readonly body?: unknown;
  /** The answer counts as lost after this many milliseconds. Default: `ANSWER_LIMIT_MS`. */
  readonly limitMs?: number;
  readonly signal?: AbortSignal;
}

export interface HubPorts {
  readonly baseUrl: string;
  readonly fetch: typeof globalThis.fetch;
  readonly clock: AgentClock;
}

/**
 * Asks the hub's REST interface; an aborted request is `unreachable`.
 * @throws AgentError `invalid_base_url`, nothing else
 */
export async function askHub(ports: HubPorts, request: HubRequest): Promise<HubAnswer> {
  const url = hubUrl(ports.baseUrl, request.path);
  const abort = new AbortController();
  const give = () => abort.abort();
  const cancelTimer = ports.clock.after(request.limitMs ?? ANSWER_LIMIT_MS, give);
  request.signal?.addEventListener("abort", give, { once: true });
  if (request.signal?.aborted) give();
  try {
    const response = await ports.fetch(url, {
      method: request.method,
      headers: headersOf(request),
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      signal: abort.signal,
    });
    const answer = readHubAnswer(response.status, await response.text());
    return response.status >= 500 ? { kind: "unreachable" } : answer;
  } catch {
    return { kind: "unreachable" };
  } finally {
    cancelTimer();
    request.signal?.removeEventListener("abort", give);
  }
}

function headersOf({ token, body }: HubRequest): Record<string, string> {
  return {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { "content-type": "application/json" }),
  };
}

/**
 * A path below the hub's base address, which may itself have one.
 * @throws AgentError `invalid_base_url`
 */
export function hubUrl(baseUrl: string, path: string): string {
  const base = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (base === undefined || !/^https?:$/.test(base.protocol)) {
    throw new AgentError("invalid_base_url", { value: String(baseUrl) });
  }
  return `${base.origin}${base.pathname.replace(/\/+$/, "")}${path}`;
}

/** The agent's WebSocket address: `ws:` for `http:`, `wss:` for `https:`. */
export function agentSocketUrl(baseUrl: string, agentId: string): string {
  const url = hubUrl(baseUrl, `/ws/agent?agent_id=${encodeURIComponent(agentId)}`);
  return url.replace(/^http/, "ws");
}

export interface StopSignal {
  readonly signal: AbortSignal;
  /** Why to stop; `undefined` while there is no reason to. */
  readonly reason: "aborted" | "expired" | undefined;
  release(): void;
}

/** Combines the caller's signal and time limit. */
export function stopSignal(
  clock: AgentClock,
  { signal, timeoutMs }: { readonly signal?: AbortSignal; readonly timeoutMs?: number },
): StopSignal {
  const controller = new AbortController();
  let reason: StopSignal["reason"];
  const stop = (why: "aborted" | "expired") => {
    reason ??= why;
    controller.abort();
  };
  const onAbort = () => stop("aborted");
  signal?.addEventListener("abort", onAbort, { once: true });
  if (signal?.aborted) onAbort();
  const cancel = timeoutMs === undefined ? () => {} : clock.after(timeoutMs, () => stop("expired"));
  return {
    signal: controller.signal,
    get reason() {
      return reason;
    },
    release() {
      cancel();
      signal?.removeEventListener("abort", onAbort);
    },
  };
}

/** Resolves after `ms` milliseconds, or at once when the signal aborts. */
export async function pause(clock: AgentClock, ms: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const wake = () => {
      cancel();
      signal.removeEventListener("abort", wake);
      resolve();
    };
    const cancel = clock.after(ms, wake);
    signal.addEventListener("abort", wake, { once: true });
  });
}
