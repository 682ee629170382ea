import {
  DEAD_AFTER_MS,
  isServerFrame,
  reconnectDelayMs,
  type ServerFrame,
} from "../app/protocol/v1/frames.ts";
import { AgentError } from "./agent-error.ts";
import type { AgentClock } from "./clock.ts";
import type { AgentStatus } from "./events.ts";
import type { WebSocketConstructor, WebSocketLike } from "./web-socket.ts";

export interface ConnectionPorts {
  readonly url: string;
  readonly agentId: string;
  readonly token: string;
  readonly webSocket: WebSocketConstructor;
  readonly clock: AgentClock;
  /** Every frame of a known form, but those the connection itself answers. */
  onFrame(frame: ServerFrame): void;
  /** @param cause why, when the agent did not ask for the close itself */
  onStatus(status: AgentStatus, cause?: AgentError): void;
}

/** From the start of an attempt to `auth.ok`, in milliseconds. */
const ATTEMPT_LIMIT_MS = 15_000;

/**
 * Keeps one authenticated socket to the hub: back-off between attempts (contract §8), pongs, and
 * the 90 s after which a silent socket counts as dead.
 */
export class Connection {
  readonly #ports: ConnectionPorts;
  #socket: WebSocketLike | undefined;
  #status: AgentStatus = "connecting";
  #attempt = 0;
  #lastFrameAt = 0;
  /** The one timer of the current phase: attempt limit, liveness or back-off. */
  #cancelTimer: () => void = () => {};

  constructor(ports: ConnectionPorts) {
    this.#ports = ports;
  }

  get status(): AgentStatus {
    return this.#status;
  }

  open(): void {
    const socket = this.#construct();
    if (socket === undefined) this.#lost();
    else this.#listen(socket);
  }

  /** Sends a frame's text; does nothing when there is no authenticated connection. */
  send(text: string): void {
    if (this.#status === "connected") this.#socket?.send(text);
  }

  /** Closes for good. */
  close(cause?: AgentError): void {
    if (this.#status === "closed") return;
    const socket = this.#socket;
    this.#socket = undefined;
    this.#cancelTimer();
    socket?.close(1000);
    this.#become("closed", cause);
  }

  #construct(): WebSocketLike | undefined {
    try {
      return new this.#ports.webSocket(this.#ports.url);
    } catch {
      return undefined;
    }
  }

  #listen(socket: WebSocketLike): void {
    this.#socket = socket;
    this.#setTimer(ATTEMPT_LIMIT_MS, () => this.#drop(socket));
    const { agentId: agent_id, token } = this.#ports;
    socket.addEventListener("open", () => {
      if (this.#socket === socket) socket.send(JSON.stringify({ type: "auth", agent_id, token }));
    });
    socket.addEventListener("message", ({ data }) => {
      if (this.#socket === socket) this.#receive(data);
    });
    // An error is always followed by a close; listening keeps it from being thrown.
    socket.addEventListener("error", () => {});
    socket.addEventListener("close", () => {
      if (this.#socket === socket) this.#lost();
    });
  }

  #receive(data: unknown): void {
    this.#lastFrameAt = this.#ports.clock.now();
    const frame = readFrame(data);
    if (frame === undefined) return;
    switch (frame.type) {
      case "auth.ok":
        this.#authenticated();
        break;
      case "auth.error":
        // Only a wrong token is final; `auth_timeout` on a slow line is worth another attempt.
        if (frame.reason === "invalid_token") this.close(new AgentError("invalid_token"));
        break;
      case "ping":
        this.send('{"type":"pong"}');
        break;
      default:
        if (this.#status === "connected") this.#ports.onFrame(frame);
    }
  }

  #authenticated(): void {
    this.#attempt = 0;
    this.#watch(DEAD_AFTER_MS);
    this.#become("connected");
  }

  /** One timer per 90 s rather than one per frame: it looks at the clock when it fires. */
  #watch(ms: number): void {
    this.#setTimer(ms, () => {
      const now = this.#ports.clock.now();
      // A clock that was set back must not lengthen the wait.
      this.#lastFrameAt = Math.min(this.#lastFrameAt, now);
      const silentMs = now - this.#lastFrameAt;
      if (silentMs < DEAD_AFTER_MS) this.#watch(DEAD_AFTER_MS - silentMs);
      else if (this.#socket !== undefined) this.#drop(this.#socket);
    });
  }

  /** Gives the socket up without waiting for its close, which a dead peer would never send. */
  #drop(socket: WebSocketLike): void {
    this.#socket = undefined;
    if (socket.terminate === undefined) socket.close();
    else socket.terminate();
    this.#lost();
  }

  #lost(): void {
    this.#socket = undefined;
    if (this.#status === "connected") this.#become("reconnecting");
    // A status handler may have closed for good.
    if (this.#status === "closed") return;
    const delay = reconnectDelayMs(this.#attempt, this.#ports.clock.random());
    this.#attempt += 1;
    this.#setTimer(delay, () => this.open());
  }

  #setTimer(ms: number, run: () => void): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#ports.clock.after(ms, run);
  }

  #become(status: AgentStatus, cause?: AgentError): void {
    this.#status = status;
    this.#ports.onStatus(status, cause);
  }
}

/** `undefined` for what this version does not know: a newer hub may say more. */
function readFrame(data: unknown): ServerFrame | undefined {
  if (typeof data !== "string") return undefined;
  try {
    const value: unknown = JSON.parse(data);
    return isServerFrame(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
