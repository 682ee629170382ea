import type { Socket } from "node:net";
import type { JsonValue } from "../../../app/contract/json.ts";
import { LIMITS } from "../../../app/contract/limits.ts";
import { parseStrictJson } from "../../../app/contract/strict-json.ts";

/** A result of the largest size, escaped, and what is around it. */
const LINE_BYTES = 4 * LIMITS.resultBytes;
/** Bytes that the other end may leave unread. */
const UNREAD_BYTES = 8 * LINE_BYTES;
const NEWLINE = 0x0a;

export interface LineEvents {
  line(value: JsonValue): void;
  closed(): void;
}

/**
 * One JSON value per line, over a socket. Whatever else comes ends the connection; so does an end
 * that sends too long a line, or reads nothing.
 */
export class LineSocket {
  readonly #socket: Socket;
  #parts: Buffer[] = [];
  #length = 0;

  constructor(socket: Socket, events: LineEvents) {
    this.#socket = socket;
    socket.on("data", (chunk: Buffer) => {
      try {
        for (const line of this.#lines(chunk)) events.line(parseStrictJson(line, LINE_BYTES));
      } catch {
        socket.destroy();
      }
    });
    socket.on("error", () => socket.destroy());
    socket.once("close", () => events.closed());
  }

  send(value: object): void {
    if (!this.#socket.writable) return;
    this.#socket.write(`${JSON.stringify(value)}\n`);
    if (this.#socket.writableLength > UNREAD_BYTES) this.#socket.destroy();
  }

  end(): void {
    this.#socket.end();
    this.#socket.unref();
  }

  destroy(): void {
    this.#socket.destroy();
  }

  *#lines(chunk: Buffer): Generator<Buffer> {
    let rest = chunk;
    for (;;) {
      const end = rest.indexOf(NEWLINE);
      const part = end === -1 ? rest : rest.subarray(0, end);
      this.#length += part.length;
      if (this.#length > LINE_BYTES) throw new RangeError("too long a line");
      this.#parts.push(part);
      if (end === -1) return;
      const line = Buffer.concat(this.#parts, this.#length);
      this.#parts = [];
      this.#length = 0;
      yield line;
      rest = rest.subarray(end + 1);
    }
  }
}
