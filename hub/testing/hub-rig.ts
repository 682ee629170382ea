import { mkdtempSync, rmSync } from "node:fs";
import { type ClientRequest, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ManualTime } from "../../app/contract/testing/manual-time.ts";
import type {
  AgentView,
  HubErrorCode,
  ManifestAccepted,
  RelationView,
} from "../../app/protocol/v1/rest.ts";
import type { Hub, HubOptions } from "../hub-options.ts";
import { matchPath } from "../rest/route.ts";
import { allRoutes, type Domain } from "../routes/all-routes.ts";
import { OF_EVERY_ENDPOINT, refusalsOf } from "../spec/refusals.ts";
import { startHub } from "../start-hub.ts";
import { testHubOptions } from "./hub-options.ts";
import { openSocket, TestClient } from "./test-client.ts";

export interface RestReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads the answer it just provoked
  readonly json: any;
}

export interface RestOptions {
  readonly token?: string;
  /** A string or bytes go out as they are, anything else as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface AddedAgent {
  readonly agentId: string;
  readonly token: string;
  readonly relation: RelationView;
}

const PIECE = 10_007;

export interface RigOptions extends Partial<HubOptions> {
  /** Its database is a file, which outlives a restart. */
  readonly onDisk?: boolean;
  readonly time?: ManualTime;
  readonly open?: Parameters<typeof startHub>[1];
}

/** A hub on a free port under manual time, and short ways to talk to it. */
export class HubRig {
  readonly log: { code: string }[] = [];
  #time = new ManualTime();
  #options: RigOptions = {};
  #folder = "";
  #hub: Hub | undefined;
  #person = "";

  static start(options?: RigOptions): Promise<HubRig> {
    return new HubRig().start(options);
  }

  async start({ onDisk = false, time = new ManualTime(), open, ...options }: RigOptions = {}) {
    if (onDisk && this.#folder === "") this.#folder = mkdtempSync(join(tmpdir(), "hub-"));
    this.#options = { onDisk, ...options };
    this.#time = time;
    this.#hub = await startHub(
      {
        ...testHubOptions,
        ...(onDisk ? { databasePath: this.file } : {}),
        clock: time,
        monotonic: time,
        scheduler: time,
        log: (event) => this.log.push(event),
        ...options,
      },
      open,
    );
    this.#person = await this.hub.issueAccessToken();
    return this;
  }

  /** Another hub in the place of this one; with the same options, but for what is said otherwise. */
  async restart(options: RigOptions = {}): Promise<void> {
    await this.hub.close();
    await this.start({ ...this.#options, ...options });
  }

  async end(): Promise<void> {
    await this.#hub?.close();
    if (this.#folder !== "") rmSync(this.#folder, { recursive: true });
    this.#folder = "";
    this.log.length = 0;
  }

  get hub(): Hub {
    if (this.#hub === undefined) throw new Error("the hub does not run");
    return this.#hub;
  }

  get time(): ManualTime {
    return this.#time;
  }

  /** Where its database is, on disk. */
  get file(): string {
    return join(this.#folder, "hub.db");
  }

  get port(): number {
    return Number(new URL(this.hub.url).port);
  }

  get person(): string {
    return this.#person;
  }

  rest(method: string, path: string, options: RestOptions = {}): Promise<RestReply> {
    return this.#ask(method, path, options, (sent) => sent.end(rawBody(options.body)));
  }

  /** The body goes out in pieces, and nothing says beforehand how long it will be. */
  streamed(
    method: string,
    path: string,
    options: RestOptions & { readonly body: string },
  ): Promise<RestReply> {
    return this.#ask(method, path, options, (sent) => {
      for (let at = 0; at < options.body.length; at += PIECE) {
        sent.write(options.body.slice(at, at + PIECE));
      }
      sent.end();
    });
  }

  #ask(
    method: string,
    path: string,
    { token, headers }: RestOptions,
    send: (request: ClientRequest) => void,
  ): Promise<RestReply> {
    return new Promise((resolve, reject) => {
      const sent = request(
        {
          host: "127.0.0.1",
          port: this.port,
          method,
          path,
          agent: false,
          headers: {
            ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
            ...headers,
          },
        },
        (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () => {
            const text = Buffer.concat(chunks).toString("utf8");
            const json = JSON.parse(text) as { error?: { code: HubErrorCode } };
            if (json.error !== undefined && !isListed(method, path, json.error.code)) {
              reject(new TypeError(`${method} ${path} is not said to answer ${json.error.code}`));
            }
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json });
          });
        },
      );
      sent.on("error", reject);
      send(sent);
    });
  }

  async asPerson(method: string, path: string, body?: unknown): Promise<RestReply> {
    const token = await this.hub.issueAccessToken();
    return this.rest(method, path, { token, body });
  }

  async addAgent(scopes: readonly string[] = ["filesystem:read"]): Promise<AddedAgent> {
    const made = await this.asPerson("POST", "/agents", {
      name: "Agent",
      capability_manifest: sampleManifest(),
    });
    const { agent_id, token } = made.json.data as ManifestAccepted & { token: string };
    const related = await this.asPerson("POST", "/h2a/relations", {
      agent_id,
      granted_scopes: scopes,
    });
    return { agentId: agent_id, token, relation: related.json.data as RelationView };
  }

  /** An agent, and both ends of its conversation with the person. */
  async talk() {
    const added = await this.addAgent();
    const human = await this.human();
    const agent = await this.agent(added);
    return { added, human, agent, conversation_id: added.relation.conversation_id };
  }

  /** An agent asks to be added. */
  knock(capability_manifest: object = sampleManifest(), name = "Agent"): Promise<RestReply> {
    return this.rest("POST", "/pairings", { body: { name, capability_manifest } });
  }

  group(...agents: readonly AddedAgent[]): Promise<RestReply> {
    const agent_ids = agents.map(({ agentId }) => agentId);
    return this.asPerson("POST", "/conversations", { type: "group", agent_ids });
  }

  /** The agent replaces its manifest, or says how it is reached. */
  patch({ agentId, token }: Pick<AddedAgent, "agentId" | "token">, body: unknown) {
    return this.rest("PATCH", `/agents/${agentId}`, { token, body });
  }

  async agentView(agentId: string): Promise<AgentView> {
    return (await this.rest("GET", `/agents/${agentId}`)).json.data as AgentView;
  }

  /** The person's client in this process, authenticated. */
  async human(): Promise<TestClient> {
    const client = new TestClient(this.hub.connectHuman());
    client.send({ type: "auth", token: await this.hub.issueAccessToken() });
    await client.next("auth.ok");
    return client;
  }

  /** An agent's WebSocket, authenticated. */
  async agent({ agentId, token }: Pick<AddedAgent, "agentId" | "token">): Promise<TestClient> {
    const { client } = await openSocket(this.wsUrl(`/ws/agent?agent_id=${agentId}`));
    client.send({ type: "auth", agent_id: agentId, token });
    await client.next("auth.ok");
    return client;
  }

  /** An agent's WebSocket that has not said who it is. */
  async openAgentSocket(agentId: string): Promise<{ client: TestClient }> {
    return openSocket(this.wsUrl(`/ws/agent?agent_id=${agentId}`));
  }

  wsUrl(path: string): string {
    return `ws://127.0.0.1:${this.port}${path}`;
  }
}

// Routes are made without looking at what they are about; only their handlers would.
const ROUTES = allRoutes({} as Domain);

/** Whether the documents say that this endpoint answers with the code. */
function isListed(method: string, path: string, code: HubErrorCode): boolean {
  const [plain = ""] = path.split("?");
  const route = ROUTES.find(
    (each) => each.method === method && matchPath(each.path, plain) !== undefined,
  );
  return code in OF_EVERY_ENDPOINT || (route !== undefined && code in refusalsOf(route));
}

function rawBody(body: unknown): string | Uint8Array | undefined {
  if (body === undefined || typeof body === "string" || body instanceof Uint8Array) return body;
  return JSON.stringify(body);
}

export function sampleManifest(change: Readonly<Record<string, unknown>> = {}) {
  return {
    schema_version: "1.0",
    agent_version: "1.0.0",
    tools: [
      {
        name: "read_file",
        description_i18n_key: "tool.read_file",
        input_schema: {
          type: "object",
          properties: { path: { type: "string" } },
          required: ["path"],
          additionalProperties: false,
        },
        permission_scope: "filesystem:read",
      },
    ],
    permission_scopes: [
      { id: "filesystem:read", label_i18n_key: "scope.read", sensitivity: "medium" },
      { id: "notification:send", label_i18n_key: "scope.notify", sensitivity: "low" },
    ],
    ...change,
  };
}

export const messageTo = (conversationId: string, id: string, payload = "AGhp") => ({
  type: "message.send",
  client_message_id: id,
  conversation_id: conversationId,
  content_type: "text",
  encrypted_payload: payload,
});
