import { type ClientRequest, request } from "node:http";
import { request as requestTls } from "node:https";
import type {
  AgentView,
  HubErrorCode,
  ManifestAccepted,
  RelationView,
} from "../../app/protocol/v1/rest.ts";
import { matchPath } from "../rest/route.ts";
import { allRoutes, type Domain } from "../routes/all-routes.ts";
import { OF_EVERY_ENDPOINT, refusalsOf } from "../spec/refusals.ts";
import { sampleManifest } from "./sample-manifest.ts";

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

/** What anybody asks of a hub over REST, and its person. */
export abstract class HubCaller {
  abstract get url(): string;
  protected abstract personToken(): Promise<string>;

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
      const { protocol, hostname, port } = new URL(this.url);
      const sent = (protocol === "https:" ? requestTls : request)(
        {
          host: hostname,
          port,
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
            let json: { error?: { code: HubErrorCode } };
            try {
              json = JSON.parse(text);
            } catch (error) {
              return reject(error);
            }
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
    return this.rest(method, path, { token: await this.personToken(), body });
  }

  /** An agent that nobody has added yet. */
  async registerAgent(name: string, capability_manifest: object) {
    const { json } = await this.asPerson("POST", "/agents", { name, capability_manifest });
    return json.data as ManifestAccepted & { readonly token: string };
  }

  /** Adds a registered agent. */
  async relate(agent_id: string, granted_scopes: readonly string[]): Promise<RelationView> {
    return (await this.asPerson("POST", "/h2a/relations", { agent_id, granted_scopes })).json.data;
  }

  async addAgent(
    granted_scopes: readonly string[] = ["filesystem:read"],
    capability_manifest: object = sampleManifest(),
    name = "Agent",
  ): Promise<AddedAgent> {
    const { agent_id, token } = await this.registerAgent(name, capability_manifest);
    return { agentId: agent_id, token, relation: await this.relate(agent_id, granted_scopes) };
  }

  /** An agent asks to be added. */
  knock(capability_manifest: object = sampleManifest(), name = "Agent"): Promise<RestReply> {
    return this.rest("POST", "/pairings", { body: { name, capability_manifest } });
  }

  group(...agents: readonly Pick<AddedAgent, "agentId">[]): Promise<RestReply> {
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
}

// Routes are made without looking at what they are about; only their handlers would.
export const ROUTES = allRoutes({} as Domain);

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
