import type { Socket } from "node:net";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../app/contract/json.ts";
import { LIMITS } from "../../../app/contract/limits.ts";
import type { Unavailable } from "./agent-port.ts";
import { LineSplitter } from "./line-splitter.ts";
import type { ClientTool } from "./serve-calls.ts";
import type { StandIn } from "./stand-in.ts";

export interface RelayParts {
  /** @param client what the client calls itself; null: it has not said so */
  connect(client: string | null): Promise<Socket | Unavailable>;
  /** Starts the program where it does not run; resolves when it may be reached, or cannot be started. */
  start(): Promise<void>;
  standIn(write: (line: string) => void): Promise<StandIn>;
  write(line: string | Buffer): void;
  readonly clientTool: ClientTool | null;
}

const LINE_BYTES = 64 * LIMITS.resultBytes;
/** What is said before anything is wanted of the program; nothing is started for it. */
const GREETINGS = ["initialize", "server/discover", "ping"];
const LISTEN = "subscriptions/listen";
const CLIENT_INFO = "io.modelcontextprotocol/clientInfo";
/** An answer of ours begins with its id (`LineTransport.send`). */
const ANSWER = /^\{"jsonrpc":"2\.0","id":(-?\d+|"(?:[^"\\]|\\.)*"),"(?:result|error)"/;
const ANSWER_HEAD_BYTES = 2_048;

/** A request that has no answer yet. */
interface Open {
  readonly line: Buffer;
  readonly method: string;
}

/**
 * The lines of a client to the program and back. Where the program cannot be reached, or is lost under way, a
 * stand-in answers, so that every request is answered once.
 */
export class StdioRelay {
  readonly #parts: RelayParts;
  readonly #open = new Map<string, Open>();
  /** How the client began, for a program that comes later. */
  readonly #greeting: { readonly id: string | null; readonly line: Buffer }[] = [];
  #client: string | null = null;
  #program: Socket | null = null;
  #standIn: StandIn | null = null;

  constructor(parts: RelayParts) {
    this.#parts = parts;
  }

  /** One line of the client's. Each is passed on before the next is read. */
  async receive(line: Buffer): Promise<void> {
    const said = looseObject(line);
    const { method, params } = said;
    this.#client ??= clientIn(params);
    const id = idOf(said);
    const isAnswer = "result" in said || "error" in said;
    const request = id === null || isAnswer ? null : { line, method: String(method) };
    if (id !== null && request !== null && this.#isForStandIn(request, params)) {
      this.#open.set(id, request);
      return this.#handOver(line, { kind: "not_running" });
    }
    const end = await this.#reached(request !== null && !GREETINGS.includes(request.method));
    if (id !== null && request !== null) this.#open.set(id, request);
    if (method === "notifications/cancelled") this.#forget(params);
    if ("write" in end) end.write(withEnd(line));
    else await this.#handOver(line, end);
    if (method === "initialize" || method === "notifications/initialized") {
      this.#greeting.push({ id, line });
    }
  }

  end(): void {
    this.#program?.end();
  }

  /** The client's own tool is none of the program's. */
  #isForStandIn({ method }: Open, params: JsonValue | undefined): boolean {
    const { clientTool } = this.#parts;
    const name = isJsonObject(params) ? params.name : undefined;
    return method === "tools/call" && clientTool !== null && name === clientTool.tool.name;
  }

  async #reached(wants: boolean): Promise<Socket | Unavailable> {
    if (this.#program !== null) return this.#program;
    const connect = () => this.#parts.connect(this.#client);
    let found = await connect();
    if (!("write" in found) && found.kind === "not_running" && wants) {
      await this.#parts.start();
      found = await connect();
    }
    if ("write" in found) this.#begin(found);
    return found;
  }

  #begin(socket: Socket): void {
    this.#program = socket;
    const splitter = new LineSplitter(LINE_BYTES);
    socket.on("data", (chunk: Buffer) => {
      for (const line of splitter.lines(chunk)) this.#answer(line);
    });
    socket.once("close", () => void this.#lost());
    for (const line of this.#replayed()) socket.write(withEnd(line));
    socket.resume();
  }

  /** What a server needs to know that has not heard the client so far. */
  #replayed(): readonly Buffer[] {
    const greeting = this.#greeting.filter(({ id }) => id === null || !this.#open.has(id));
    const listening = [...this.#open.values()].filter(({ method }) => method === LISTEN);
    return [...greeting, ...listening].map(({ line }) => line);
  }

  async #lost(): Promise<void> {
    this.#program = null;
    const unanswered = [...this.#open.values()];
    for (const { line } of unanswered) await this.#handOver(line, { kind: "lost" });
    this.#standIn?.tellChanged();
  }

  async #handOver(line: Buffer, why: Unavailable): Promise<void> {
    if (this.#standIn === null) {
      this.#standIn = await this.#parts.standIn((said) =>
        this.#answer(Buffer.from(said.trimEnd())),
      );
      for (const each of this.#replayed()) this.#standIn.receive(withEnd(each), why);
    }
    this.#standIn.receive(withEnd(line), why);
  }

  /** What nobody waits for is the answer to a line that was said again, or was cancelled. */
  #answer(line: Buffer): void {
    const id = ANSWER.exec(line.toString("utf8", 0, ANSWER_HEAD_BYTES))?.[1];
    const answered = id === undefined ? null : this.#open.get(id);
    if (answered === undefined) return;
    if (id !== undefined) this.#open.delete(id);
    const { clientTool } = this.#parts;
    const isLonger = answered?.method === "tools/list" && clientTool !== null;
    this.#parts.write(withEnd(isLonger ? withTool(line, clientTool) : line));
  }

  #forget(params: JsonValue | undefined): void {
    if (isJsonObject(params)) this.#open.delete(JSON.stringify(params.requestId ?? null));
  }
}

const withEnd = (line: Buffer): Buffer => Buffer.concat([line, Buffer.from("\n")]);

/** Only to find out what it is; the server reads it strictly. */
function looseObject(line: Buffer): JsonObject {
  try {
    const value: JsonValue = JSON.parse(line.toString());
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

function idOf({ id }: JsonObject): string | null {
  return typeof id === "string" || typeof id === "number" ? JSON.stringify(id) : null;
}

function clientIn(params: JsonValue | undefined): string | null {
  if (!isJsonObject(params)) return null;
  const { clientInfo, _meta } = params;
  const info = isJsonObject(_meta) ? (_meta[CLIENT_INFO] ?? clientInfo) : clientInfo;
  const name = isJsonObject(info) ? (info.title ?? info.name) : null;
  return typeof name === "string" ? name : null;
}

function withTool(line: Buffer, { tool }: ClientTool): Buffer {
  const answer = looseObject(line);
  const { result } = answer;
  if (!isJsonObject(result) || !Array.isArray(result.tools)) return line;
  if (result.tools.some((each) => isJsonObject(each) && each.name === tool.name)) return line;
  const tools = [...result.tools, tool];
  return Buffer.from(JSON.stringify({ ...answer, result: { ...result, tools } }));
}
