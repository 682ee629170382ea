import { randomBytes } from "node:crypto";
import type { JsonObject } from "../../../../app/contract/json.ts";
import { eventually } from "../../../client/testing/eventually.ts";
import type { LaunchedClient } from "../../../client/testing/launched-client.ts";
import { LocalClient } from "../../local/local-client.ts";
import type { StandingWord } from "../../local/local-frames.ts";
import { LOCAL_SOCKET, socketAddress } from "../../local/socket-address.ts";
import { type CallAnswer, type CallProgress, isCallAnswer } from "../call-answer.ts";

/** A program at the private socket, in the test's own process. */
export class LocalAgent {
  readonly token: string;
  readonly #options: {
    readonly client: LaunchedClient;
    readonly name: string;
    readonly socket: string;
  };
  readonly standings: StandingWord[] = [];
  code: string | null = null;
  changes = 0;
  #line: LocalClient | undefined;

  constructor(
    client: LaunchedClient,
    name = "Local agent",
    token = randomBytes(32).toString("base64url"),
    socket = LOCAL_SOCKET,
  ) {
    this.#options = { client, name, socket };
    this.token = token;
  }

  get line(): LocalClient {
    if (this.#line === undefined) throw new Error("not connected");
    return this.#line;
  }

  /** Resolves with where it stands. */
  async connect(session = "session"): Promise<StandingWord> {
    const { client, name, socket } = this.#options;
    const told = Promise.withResolvers<StandingWord>();
    this.#line = await LocalClient.connect({
      address: socketAddress(client.dataDir, socket),
      token: this.token,
      name,
      session,
      standing: (standing, code) => {
        this.standings.push(standing);
        this.code = code;
        told.resolve(standing);
      },
      changed: () => {
        this.changes += 1;
      },
      closed: () => {},
    });
    return told.promise;
  }

  /** The person allows it with these scopes; resolves with its id as an agent. */
  async paired(scopes: readonly string[]): Promise<string> {
    const { client } = this.#options;
    const before = new Set((await client.snapshot()).agents.map(({ agent_id }) => agent_id));
    await this.connect();
    await client.acceptPairing(this.code ?? "", scopes);
    await this.stands("paired");
    const { agents } = await client.snapshot();
    const mine = agents.find(({ agent_id }) => !before.has(agent_id));
    if (mine === undefined) throw new Error("no agent was added");
    return mine.agent_id;
  }

  async stands(word: StandingWord): Promise<void> {
    await eventually(async () => (this.standings.at(-1) === word ? true : undefined));
  }

  async call(
    tool: string,
    args: JsonObject = {},
    more: { signal?: AbortSignal; progress?: (told: CallProgress) => void } = {},
  ): Promise<CallAnswer> {
    const { progress, ...rest } = more;
    const answer = await this.line.request(
      "call",
      { tool, arguments: args, progress: progress !== undefined },
      { ...rest, progress: (told) => progress?.(told as CallProgress) },
    );
    if (!isCallAnswer(answer)) throw new Error("no answer to a call");
    return answer;
  }

  async collect(ticket: string): Promise<CallAnswer> {
    const answer = await this.line.request("collect", { ticket, progress: false });
    if (!isCallAnswer(answer)) throw new Error("no answer to a call");
    return answer;
  }
}
