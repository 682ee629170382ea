import { guardOf } from "../app/contract/checked.ts";
import * as views from "../app/protocol/v1/answers.ts";
import { AgentError } from "./errors.ts";
import { askHub, type HubAnswer, type HubRequest } from "./hub-client.ts";
import { type AgentOptions, realClock } from "./options.ts";

const isSummary = guardOf(views.ConversationSummary);
const isView = guardOf(views.ConversationView);
const isReadPosition = guardOf(views.ReadPosition);
const isList = (data: unknown): data is ConversationSummary[] =>
  Array.isArray(data) && data.every(isSummary);
const isAnything = (data: unknown): data is unknown => data !== undefined;

export interface NewGroup {
  readonly title?: string;
  /** People who have added the agent. Default: all of them. The first one owns the group. */
  readonly userIds?: readonly string[];
}

/**
 * The agent's conversations, over REST. Requests are not retried.
 * All methods throw AgentError.
 */
export class Conversations {
  readonly #agentId: string;
  readonly #address: () => string;
  readonly #ask: (request: HubRequest) => Promise<HubAnswer>;

  /** @param address the hub's */
  constructor(
    agentId: string,
    address: () => string,
    ask: (request: HubRequest) => Promise<HubAnswer>,
  ) {
    this.#agentId = agentId;
    this.#address = address;
    this.#ask = ask;
  }

  /** Conversations with people whose relation is active, and the agent's groups; oldest first. */
  list(): Promise<readonly ConversationSummary[]> {
    return this.#request("GET", "/conversations", isList);
  }

  /** One conversation with its members, and how far each has read. */
  get(conversationId: string): Promise<ConversationView> {
    return this.#request("GET", pathOf(conversationId), isView);
  }

  /** Makes a group of the agent and its people. Only the person who owns it can add other agents. */
  createGroup({ title, userIds }: NewGroup = {}): Promise<ConversationView> {
    const body = {
      type: "group",
      ...(title === undefined ? {} : { title }),
      ...(userIds === undefined ? {} : { user_ids: userIds }),
    };
    return this.#request("POST", "/conversations", isView, body);
  }

  /** Leaves a group. Messages that wait for the agent there are dropped. */
  async leave(conversationId: string): Promise<void> {
    const path = `${pathOf(conversationId)}/members/${encodeURIComponent(this.#agentId)}`;
    await this.#request("DELETE", path, isAnything);
  }

  /**
   * Marks the conversation as read up to this message. This is separate from delivery: receipts are
   * sent automatically when the handlers have finished.
   * @param seq a message's `conversation_seq`
   * @returns how far the agent has read, which never goes back
   */
  async markRead(conversationId: string, seq: number): Promise<number> {
    const path = `${pathOf(conversationId)}/read`;
    return (await this.#request("POST", path, isReadPosition, { seq })).seq;
  }

  async #request<Data>(
    method: HubRequest["method"],
    path: string,
    isData: (data: unknown) => data is Data,
    body?: unknown,
  ): Promise<Data> {
    const answer = await this.#ask({ method, path, body });
    if (answer.kind === "refused") throw new AgentError(answer.code, { params: answer.params });
    if (answer.kind === "data" && isData(answer.data)) return answer.data;
    throw new AgentError("hub_unreachable", { value: this.#address() });
  }
}

export function ownConversations(options: AgentOptions): Conversations {
  const { agentId, fetch = globalThis.fetch, clock = realClock } = options;
  const address = () => options.baseUrl;
  return new Conversations(agentId, address, (request) =>
    askHub({ baseUrl: address(), fetch, clock }, { ...request, token: options.token }),
  );
}

const pathOf = (conversationId: string): string =>
  `/conversations/${encodeURIComponent(conversationId)}`;

/** A conversation as the agent sees it. Declared here for the same reason as `AgentClock`. */
export interface ConversationSummary {
  readonly conversation_id: string;
  readonly type: "h2a" | "group";
  readonly title: string | null;
  /** The person it belongs to. */
  readonly owner_id: string;
  readonly member_count: number;
  /** The number of its last message; 0 before the first. */
  readonly last_seq: number;
  /** How far the agent has read. */
  readonly read_seq: number;
}

export interface ConversationView extends ConversationSummary {
  readonly members: readonly ConversationMember[];
}

export interface ConversationMember {
  readonly member_id: string;
  readonly member_type: "human" | "agent";
  readonly role: "owner" | "member";
  /** An agent's. */
  readonly name: string | null;
  readonly read_seq: number;
}
