/**
 * A two-way connection for JSON text frames: a WebSocket, or two linked ends in one process. Frames
 * arrive in the order they were sent; after the close nothing more arrives.
 */
export interface FrameSocket {
  /** Does nothing after the close. */
  send(text: string): void;
  close(code?: number, reason?: string): void;
  onFrame(listener: (text: string) => void): void;
  /** Called once, with the WebSocket close code (1005 if the closing side gave none), and what it said. */
  onClose(listener: (code: number, reason?: string) => void): void;
}

/** RFC 6455 §7.1.5: the code reported when a close carried none. */
const NO_STATUS = 1005;

type Arrival =
  | { readonly kind: "frame"; readonly text: string }
  | { readonly kind: "close"; readonly code: number };

class LinkedEnd implements FrameSocket {
  peer: LinkedEnd | undefined;
  readonly #frameListeners: ((text: string) => void)[] = [];
  readonly #closeListeners: ((code: number) => void)[] = [];
  readonly #arrivals: Arrival[] = [];
  #pumping = false;
  #closing = false;
  #closedWith: number | undefined;

  send(text: string): void {
    if (!this.#closing) this.peer?.arrive({ kind: "frame", text });
  }

  close(code: number = NO_STATUS): void {
    if (this.#closing) return;
    this.arrive({ kind: "close", code });
    this.peer?.arrive({ kind: "close", code });
  }

  onFrame(listener: (text: string) => void): void {
    this.#frameListeners.push(listener);
    this.#pumpSoon();
  }

  onClose(listener: (code: number) => void): void {
    this.#closeListeners.push(listener);
    const code = this.#closedWith;
    if (code !== undefined) void Promise.resolve().then(() => listener(code));
  }

  arrive(arrival: Arrival): void {
    if (this.#closing) return;
    if (arrival.kind === "close") this.#closing = true;
    this.#arrivals.push(arrival);
    this.#pumpSoon();
  }

  #pumpSoon(): void {
    if (this.#pumping || this.#arrivals.length === 0) return;
    this.#pumping = true;
    void Promise.resolve().then(() => this.#pump());
  }

  #pump(): void {
    try {
      let next = this.#takeDeliverable();
      while (next !== undefined) {
        this.#deliver(next);
        next = this.#takeDeliverable();
      }
    } finally {
      this.#pumping = false;
      // A listener that throws must not hold up the frames behind.
      if (this.#isDeliverable(this.#arrivals[0])) this.#pumpSoon();
    }
  }

  #takeDeliverable(): Arrival | undefined {
    return this.#isDeliverable(this.#arrivals[0]) ? this.#arrivals.shift() : undefined;
  }

  /** Frames wait for their first listener; a close never overtakes them. */
  #isDeliverable(arrival: Arrival | undefined): boolean {
    if (arrival === undefined) return false;
    return arrival.kind === "close" || this.#frameListeners.length > 0;
  }

  #deliver(arrival: Arrival): void {
    if (arrival.kind === "frame") {
      for (const listener of this.#frameListeners) listener(arrival.text);
      return;
    }
    this.#closedWith = arrival.code;
    for (const listener of this.#closeListeners) listener(arrival.code);
  }
}

/**
 * Two ends of one connection inside this process. Frames are delivered in a microtask, never inside
 * `send`. Those sent before the other side listens are kept for it.
 */
export function linkedFrameSockets(): [FrameSocket, FrameSocket] {
  const left = new LinkedEnd();
  const right = new LinkedEnd();
  left.peer = right;
  right.peer = left;
  return [left, right];
}
