import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../../app/contract/json.ts";
import { eventually } from "../../../client/testing/eventually.ts";
import type { LaunchedClient } from "../../../client/testing/launched-client.ts";
import { requestLocally } from "../../local/local-request.ts";
import { LOCAL_SOCKET, socketAddress } from "../../local/socket-address.ts";
import type { CallAnswer } from "../call-answer.ts";

type Standing = "paired" | "waiting" | "refused" | "not_asked";

interface Request {
  readonly answered: PromiseWithResolvers<JsonObject>;
  readonly progress: ((message: string) => void) | undefined;
}

interface More {
  readonly signal?: AbortSignal;
  readonly progress?: (message: string) => void;
}

/** An MCP client at the private socket, in the test's own process. */
export class LocalAgent {
  readonly token: string;
  readonly #client: LaunchedClient;
  readonly #name: string;
  readonly #requests = new Map<number, Request>();
  readonly standings: Standing[] = [];
  code: string | null = null;
  changes = 0;
  #socket: Socket | undefined;
  #nextId = 0;

  constructor(
    client: LaunchedClient,
    name = "Local agent",
    token = randomBytes(32).toString("base64url"),
  ) {
    this.#client = client;
    this.#name = name;
    this.token = token;
  }

  /** Resolves with where it stands. */
  async connect(session = "session"): Promise<Standing> {
    const headers = {
      "Consentry-Name": encodeURIComponent(this.#name),
      "Consentry-Session": session,
    };
    const address = socketAddress(this.#client.dataDir, LOCAL_SOCKET);
    const request = { path: "/mcp", token: this.token, headers, pipe: true } as const;
    const { status, socket } = await requestLocally(address, request);
    if (status !== 101) throw new Error(`status ${status}`);
    this.#socket = socket;
    let heard = "";
    socket.setEncoding("utf8").on("data", (text: string) => {
      const lines = (heard + text).split("\n");
      heard = lines.pop() ?? "";
      for (const line of lines) this.#hear(JSON.parse(line));
    });
    socket.once("close", () => {
      if (this.#socket !== socket) return;
      for (const { answered } of this.#requests.values()) answered.reject({ code: "lost" });
      this.#requests.clear();
    });
    socket.resume();
    return this.#look();
  }

  close(): void {
    this.#socket?.end();
  }

  /** The person allows it with these scopes; resolves with its id as an agent. */
  async paired(scopes: readonly string[]): Promise<string> {
    const before = new Set((await this.#client.snapshot()).agents.map((each) => each.agent_id));
    await this.connect();
    await this.#client.acceptPairing(this.code ?? "", scopes);
    await this.stands("paired");
    const { agents } = await this.#client.snapshot();
    const mine = agents.find(({ agent_id }) => !before.has(agent_id));
    if (mine === undefined) throw new Error("no agent was added");
    return mine.agent_id;
  }

  async stands(word: Standing): Promise<void> {
    await eventually(async () => (this.standings.at(-1) === word ? true : undefined));
  }

  /** What a request of MCP is answered with. */
  ask(method: string, params: JsonObject, more: More = {}): Promise<JsonObject> {
    const id = this.#nextId;
    this.#nextId += 1;
    const answered = Promise.withResolvers<JsonObject>();
    // Not everybody waits for the answer to what they cancel.
    answered.promise.catch(() => {});
    this.#requests.set(id, { answered, progress: more.progress });
    const meta = more.progress === undefined ? {} : { _meta: { progressToken: id } };
    this.#say({ id, method, params: { ...params, ...meta } });
    more.signal?.addEventListener("abort", () =>
      this.#say({ method: "notifications/cancelled", params: { requestId: id } }),
    );
    return answered.promise;
  }

  /** A call's result, with what programs branch on. */
  async call(name: string, args: JsonObject = {}, more: More = {}): Promise<CallAnswer> {
    return answerIn(await this.ask("tools/call", { name, arguments: args }, more));
  }

  collect(ticket: string): Promise<CallAnswer> {
    return this.call("collect_answer", { ticket });
  }

  #say(message: JsonObject): void {
    this.#socket?.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  }

  #hear({ id, method, params, result, error }: JsonObject): void {
    if (method === "notifications/tools/list_changed") {
      this.changes += 1;
      void this.#look().catch(() => {});
    }
    if (method === "notifications/progress" && isJsonObject(params)) {
      this.#requests.get(Number(params.progressToken))?.progress?.(String(params.message));
    }
    const request = this.#requests.get(Number(id));
    if (request === undefined || method !== undefined) return;
    this.#requests.delete(Number(id));
    if (isJsonObject(result)) request.answered.resolve(result);
    else request.answered.reject(error);
  }

  /** A ticket of nobody's is answered with where the client stands. */
  async #look(): Promise<Standing> {
    const params = { name: "collect_answer", arguments: { ticket: "none" } };
    const result = await this.ask("tools/call", params);
    const { status, reason } = outcomeIn(result);
    const standing = (status === "unavailable" ? reason : "paired") as Standing;
    this.code = /code there must be ([\w-]+)/.exec(JSON.stringify(result.content))?.[1] ?? null;
    this.standings.push(standing);
    return standing;
  }
}

function outcomeIn({ _meta }: JsonObject): JsonObject {
  const outcome = isJsonObject(_meta) ? _meta["consentry/outcome"] : null;
  if (!isJsonObject(outcome)) throw new Error("no answer to a call");
  return outcome;
}

function answerIn(result: JsonObject): CallAnswer {
  const { status, ...outcome } = outcomeIn(result);
  const { reason } = outcome;
  const structured: JsonValue = result.structuredContent ?? null;
  if (status === "ok") return { kind: "ok", result: structured };
  if (status === "unavailable")
    throw Object.assign(new Error(String(reason)), { code: "not_paired" });
  if (status === "waiting") return { kind: "parked", task: outcome } as unknown as CallAnswer;
  if (reason === "no_such_ticket" || reason === "put_off") return { kind: reason };
  return { kind: "refused", status, ...outcome } as unknown as CallAnswer;
}
