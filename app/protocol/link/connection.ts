import type { FrameSocket } from "../v1/frame-socket.ts";
import {
  type AuthErrorFrame,
  DEAD_AFTER_MS,
  isServerFrame,
  type NotLetIn,
  type ServerFrame,
} from "../v1/frames.ts";

/** Time and randomness as a connection uses them; injectable so that tests need not wait. */
export interface LinkClock {
  /** Runs `run` once after `ms` milliseconds. @returns cancels it */
  after(ms: number, run: () => void): () => void;
  /** Milliseconds since any fixed moment. */
  now(): number;
  /** 0 ≤ value < 1. */
  random(): number;
}

export type LinkStatus = "connecting" | "connected" | "reconnecting" | "closed";

/** @typeParam Cause explains why a connection was closed */
export interface ConnectionPorts<Cause> {
  /** Opens a new connection to the hub. If it throws, it is tried again later. */
  open(): FrameSocket;
  /** The first frame of every connection. */
  authFrame(): object | Promise<object>;
  /** The hub refused this client, and retrying will not help. Null: retry anyway. */
  refused(reason: NotLetIn): Cause | null;
  readonly clock: LinkClock;
  /** Called for every valid frame except those the connection handles itself. */
  onFrame(frame: ServerFrame): void;
  /** @param cause why, if the close was not requested */
  onStatus(status: LinkStatus, cause?: Cause): void;
}

/** Time limit from the start of an attempt to `auth.ok`, in milliseconds. */
export const ATTEMPT_LIMIT_MS = 15_000;

/**
 * Keeps one authenticated socket to the hub open: waits between attempts (contract §8), answers
 * pings, and gives up a socket after 90 s without a frame.
 */
export class Connection<Cause = never> {
  readonly #ports: ConnectionPorts<Cause>;
  #socket: FrameSocket | undefined;
  #status: LinkStatus = "connecting";
  #attempt = 0;
  #lastFrameAt = 0;
  /** The only timer of the current phase: attempt limit, liveness or back-off. */
  #cancelTimer: () => void = () => {};

  constructor(ports: ConnectionPorts<Cause>) {
    this.#ports = ports;
  }

  get status(): LinkStatus {
    return this.#status;
  }

  open(): void {
    const socket = this.#openSocket();
    if (socket === undefined) this.#lost();
    else this.#listen(socket);
  }

  /**
   * Sends a frame's text. @returns false if there was no authenticated connection and nothing was
   * sent
   */
  send(text: string): boolean {
    if (this.#status !== "connected" || this.#socket === undefined) return false;
    this.#socket.send(text);
    return true;
  }

  /** Leaves for where `open` leads now. */
  renew(): void {
    if (this.#status === "closed") return;
    const socket = this.#socket;
    this.#socket = undefined;
    this.#attempt = 0;
    socket?.close(1000);
    if (this.#status === "connected") this.#become("reconnecting");
    this.open();
  }

  /** Closes permanently. */
  close(cause?: Cause): void {
    if (this.#status === "closed") return;
    const socket = this.#socket;
    this.#socket = undefined;
    this.#cancelTimer();
    socket?.close(1000);
    this.#become("closed", cause);
  }

  #openSocket(): FrameSocket | undefined {
    try {
      return this.#ports.open();
    } catch {
      return undefined;
    }
  }

  #listen(socket: FrameSocket): void {
    this.#socket = socket;
    this.#setTimer(ATTEMPT_LIMIT_MS, () => this.#drop(socket));
    socket.onFrame((text) => {
      if (this.#socket === socket) this.#receive(text);
    });
    socket.onClose((_, reason) => {
      if (this.#socket === socket) this.#lost(comeAgainMs(reason));
    });
    void this.#introduce(socket);
  }

  async #introduce(socket: FrameSocket): Promise<void> {
    try {
      socket.send(JSON.stringify(await this.#ports.authFrame()));
    } catch {
      if (this.#socket === socket) this.#drop(socket);
    }
  }

  #receive(text: string): void {
    this.#lastFrameAt = this.#ports.clock.now();
    const frame = readFrame(text);
    if (frame === undefined) return;
    switch (frame.type) {
      case "auth.ok":
        this.#authenticated();
        break;
      case "auth.error":
        this.#notLetIn(frame.reason);
        break;
      case "ping":
        this.send('{"type":"pong"}');
        break;
      default:
        if (this.#status === "connected") this.#ports.onFrame(frame);
    }
  }

  /** A timeout may only mean a slow connection, so it is tried again. */
  #notLetIn(reason: AuthErrorFrame["reason"]): void {
    if (reason === "auth_timeout" || reason === "malformed_frame") return;
    const cause = this.#ports.refused(reason);
    if (cause !== null) this.close(cause);
  }

  #authenticated(): void {
    this.#attempt = 0;
    this.#watch(DEAD_AFTER_MS);
    this.#become("connected");
  }

  /** One timer per 90 s rather than one per frame: it checks the clock when it fires. */
  #watch(ms: number): void {
    this.#setTimer(ms, () => {
      const now = this.#ports.clock.now();
      // If the clock was set back, the wait must not become longer.
      this.#lastFrameAt = Math.min(this.#lastFrameAt, now);
      const silentMs = now - this.#lastFrameAt;
      if (silentMs < DEAD_AFTER_MS) this.#watch(DEAD_AFTER_MS - silentMs);
      else if (this.#socket !== undefined) this.#drop(this.#socket);
    });
  }

  /**
   * Abandons the socket without waiting for its close event, which a dead peer would never send.
   */
  #drop(socket: FrameSocket): void {
    this.#socket = undefined;
    socket.close();
    this.#lost();
  }

  /** @param againMs when the hub, which ends, wants its clients at another node */
  #lost(againMs?: number): void {
    this.#socket = undefined;
    if (this.#status === "connected") this.#become("reconnecting");
    // A status handler may have closed the connection.
    if (this.#status === "closed") return;
    const delay = againMs ?? reconnectDelayMs(this.#attempt, this.#ports.clock.random());
    this.#attempt += 1;
    this.#setTimer(delay, () => this.open());
  }

  #setTimer(ms: number, run: () => void): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#ports.clock.after(ms, run);
  }

  #become(status: LinkStatus, cause?: Cause): void {
    this.#status = status;
    this.#ports.onStatus(status, cause);
  }
}

/** `undefined` for frames that this version does not know: a newer hub may send more kinds. */
function readFrame(text: string): ServerFrame | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isServerFrame(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** As the hub says it when it sends its clients away; bounded, since it is another's word. */
function comeAgainMs(reason = ""): number | undefined {
  const [, ms] = /^retry_after_ms=(\d{1,5})$/.exec(reason) ?? [];
  return ms === undefined ? undefined : Math.min(Number(ms), BACKOFF_CAP_MS);
}

const BACKOFF_FIRST_MS = 1_000;
export const BACKOFF_CAP_MS = 30_000;

/**
 * Reconnect delay: 1, 2, 4 … 30 s, shortened by up to a quarter through `chance` (0 ≤ chance < 1).
 */
export function reconnectDelayMs(
  attempt: number,
  chance: number,
  capMs: number = BACKOFF_CAP_MS,
): number {
  const full = Math.min(BACKOFF_FIRST_MS * 2 ** attempt, capMs);
  return Math.round(full * (1 - chance / 4));
}
