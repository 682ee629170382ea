import { Connection, type LinkStatus } from "../app/protocol/link/connection.ts";
import type { MessageSendFrame, ServerFrame } from "../app/protocol/v1/frames.ts";
import { AgentError } from "./agent-error.ts";
import type { AgentOptions } from "./agent-options.ts";
import { realClock } from "./clock.ts";
import { agentSocketUrl, askHub, type HubAnswer, hubUrl } from "./hub-request.ts";
import { RestLink } from "./rest-link.ts";
import { frameSocketOf, type WebSocketConstructor } from "./web-socket.ts";

/** An agent's connection to its hub. */
export interface AgentLink {
  readonly status: LinkStatus;
  open(): void;
  /** @returns false, with nothing sent, while there is no connection */
  send(text: string): boolean;
  /** Closes for good. */
  close(cause?: AgentError): void;
}

interface LinkListeners {
  onFrame(frame: ServerFrame): void;
  onStatus(status: LinkStatus, cause?: AgentError): void;
}

/**
 * @param webSocket `null` for a webhook agent
 * @throws AgentError `invalid_base_url`
 */
export function agentLink(
  options: AgentOptions,
  webSocket: WebSocketConstructor | null,
  listeners: LinkListeners,
): AgentLink {
  const { agentId, token, baseUrl, clock = realClock } = options;
  if (webSocket === null) {
    hubUrl(baseUrl, "");
    return new RestLink({ ...listeners, clock, post: (...of) => postMessage(options, ...of) });
  }
  const url = agentSocketUrl(baseUrl, agentId);
  return new Connection({
    ...listeners,
    clock,
    open: () => frameSocketOf(new webSocket(url)),
    authFrame: () => ({ type: "auth", agent_id: agentId, token }),
    refused: (reason) => new AgentError(reason),
  });
}

function postMessage(
  { token, baseUrl, fetch = globalThis.fetch, clock = realClock }: AgentOptions,
  { type: _, conversation_id, ...body }: MessageSendFrame,
  signal: AbortSignal,
): Promise<HubAnswer> {
  const path = `/conversations/${encodeURIComponent(conversation_id)}/messages`;
  const ports = { baseUrl, fetch, clock };
  return askHub(ports, { method: "POST", path, token, body, signal });
}
