import { isJsonObject, type JsonObject, type JsonValue } from "../../../../app/contract/json.ts";
import { eventually } from "../../../client/testing/eventually.ts";
import type { LaunchedClient } from "../../../client/testing/launched-client.ts";
import { mcpUrl } from "./mcp-address.ts";

const META = "io.modelcontextprotocol/";
const NEWEST = "2026-07-28";

/** A client over HTTP that writes its messages by hand. */
export class RawHttp {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  #nextId = 1;

  private constructor(url: URL, token: string) {
    this.url = url;
    this.headers = { Authorization: `Bearer ${token}` };
  }

  static async of(client: LaunchedClient, token: string): Promise<RawHttp> {
    return new RawHttp(await mcpUrl(client), token);
  }

  /** A request of revision 2025-11-25. */
  old(method: string, params: JsonObject = {}): Promise<JsonObject> {
    return this.#result(method, params, OLD);
  }

  /** A call of revision 2025-11-25 that is to be a task. */
  async oldTask(call: JsonObject): Promise<MadeTask> {
    const { task } = await this.old("tools/call", { task: {}, ...call });
    return made(task);
  }

  oldError(method: string, params: JsonObject = {}): Promise<number> {
    return this.#error(method, params, OLD);
  }

  /** A request of the newest revision, from a client that knows tasks. */
  modern(method: string, params: JsonObject): Promise<JsonObject> {
    return this.#result(method, enveloped(params, KNOWS_TASKS), routing(method, params));
  }

  modernError(
    method: string,
    params: JsonObject,
    knows: "tasks" | "knows no tasks" = "tasks",
  ): Promise<number> {
    const capabilities = knows === "tasks" ? KNOWS_TASKS : {};
    return this.#error(method, enveloped(params, capabilities), routing(method, params));
  }

  /** A call that waits for the person until it becomes a task. */
  async modernTask(client: LaunchedClient, call: JsonObject): Promise<MadeTask> {
    let answer: JsonObject | undefined;
    void this.modern("tools/call", call).then((result) => {
      answer = result;
    });
    await client.waitingCard();
    const task = await eventually(async () => {
      client.time.jump(2000);
      await client.snapshot();
      return answer;
    });
    return made(task);
  }

  async #result(method: string, params: JsonObject, more: Headers): Promise<JsonObject> {
    const { result, error } = await this.#send(method, params, more);
    if (!isJsonObject(result)) throw new Error(JSON.stringify(error));
    return result;
  }

  async #error(method: string, params: JsonObject, more: Headers): Promise<number> {
    const { error } = await this.#send(method, params, more);
    return isJsonObject(error) && typeof error.code === "number" ? error.code : 0;
  }

  async #send(
    method: string,
    params: JsonObject,
    more: Headers,
  ): Promise<{ result?: unknown; error?: unknown }> {
    const id = this.#nextId;
    this.#nextId += 1;
    const response = await fetch(this.url, {
      method: "POST",
      headers: {
        "Content-Type": "application/json",
        Accept: "application/json, text/event-stream",
        ...this.headers,
        ...more,
      },
      body: JSON.stringify({ jsonrpc: "2.0", id, method, params }),
    });
    const text = await response.text();
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
    return JSON.parse(isStream ? lastEvent(text) : text);
  }
}

type MadeTask = JsonObject & { readonly taskId: string };

function made(task: JsonValue | undefined): MadeTask {
  if (!isJsonObject(task) || typeof task.taskId !== "string") throw new Error("no task was made");
  return { ...task, taskId: task.taskId };
}

type Headers = Readonly<Record<string, string>>;
const OLD: Headers = { "MCP-Protocol-Version": "2025-11-25" };
const KNOWS_TASKS: JsonObject = { extensions: { [`${META}tasks`]: {} } };

/** What each request of the newest revision says of its client. */
const enveloped = (params: JsonObject, capabilities: JsonObject): JsonObject => ({
  ...params,
  _meta: {
    [`${META}protocolVersion`]: NEWEST,
    [`${META}clientInfo`]: { name: "Raw", version: "1" },
    [`${META}clientCapabilities`]: capabilities,
  },
});

const routing = (method: string, { name, taskId }: JsonObject): Headers => {
  const named = name ?? taskId;
  return {
    "MCP-Protocol-Version": NEWEST,
    "Mcp-Method": method,
    ...(typeof named === "string" ? { "Mcp-Name": named } : {}),
  };
};

const lastEvent = (text: string): string =>
  text
    .split("\n")
    .filter((line) => line.startsWith("data: "))
    .at(-1)
    ?.slice("data: ".length) ?? "";
