import {
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type Transport,
} from "@modelcontextprotocol/server";
import type { JsonValue } from "../../../app/contract/json.ts";
import { LIMITS } from "../../../app/contract/limits.ts";
import { LineSplitter } from "./line-splitter.ts";
import { notAMessage, readMessage } from "./read-message.ts";

/** A call of the largest size, escaped, and what is around it. */
const STRICT_BYTES = 4 * LIMITS.resultBytes;
/** Of a line that is read at all. */
const LINE_BYTES = 16 * STRICT_BYTES;
const SPACE = 0x20;

function messageIn(value: JsonValue): JSONRPCMessage | null {
  try {
    return parseJSONRPCMessage(value);
  } catch {
    return null;
  }
}

/** MCP as lines of JSON, as over standard input and output. Nothing that is in one line ends the connection. */
export class LineTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];
  readonly #splitter = new LineSplitter(LINE_BYTES);
  readonly #write: (line: string) => void;
  readonly #end: () => void;
  #isClosed = false;

  /** @param end is called once, when the server has closed */
  constructor(write: (line: string) => void, end: () => void = () => {}) {
    this.#write = write;
    this.#end = end;
  }

  async start(): Promise<void> {
    // It is open from the beginning.
  }

  receive(chunk: Buffer): void {
    for (const line of this.#splitter.lines(chunk)) this.#read(line);
  }

  /** The id stands first: whoever passes the line on need not read the rest. */
  async send(message: JSONRPCMessage): Promise<void> {
    const { jsonrpc, ...rest } = message;
    const id = "id" in message ? { id: message.id } : {};
    if (!this.#isClosed) this.#write(`${JSON.stringify({ jsonrpc, ...id, ...rest })}\n`);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#end();
    this.onclose?.();
  }

  #read(line: Buffer): void {
    if (!line.some((byte) => byte > SPACE)) return;
    const read = readMessage(line, STRICT_BYTES);
    const message = read.kind === "message" ? messageIn(read.message) : null;
    if (message !== null) this.onmessage?.(message);
    else {
      const answer = read.kind === "refused" ? read.answer : notAMessage(read.message);
      this.#write(`${JSON.stringify(answer)}\n`);
    }
  }
}
