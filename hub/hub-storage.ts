import type { ConversationSummary } from "../app/protocol/v1/conversation.ts";
import type { ReauthRequiredFrame } from "../app/protocol/v1/frames.ts";
import type {
  Acquaintances,
  Admission,
  Agent,
  Conversation,
  Group,
  GroupChange,
  Kept,
  ManifestChange,
  NewAgent,
  NewGroup,
  NewMessage,
  NotKept,
  OwnersKeys,
  PublishedIdentity,
  ReadMark,
  Relation,
  RelationChange,
  Standing,
  Subject,
  TakenBundle,
  TokenHolder,
  Undelivered,
  Waiting,
  Webhook,
  WithMembers,
} from "./hub-records.ts";

/**
 * What the hub keeps. Each operation is one transaction with its checks: all of it is kept, or it
 * rejects and nothing is. Operations take effect, and resolve, in the order in which they were called;
 * a write resolves once it is kept, so nobody is told of anything that a crash could still take back.
 *
 * A `decide` is called inside the transaction with what holds there, and must be a function of that
 * alone; what it throws ends the transaction and comes out of the operation.
 */
export interface HubStorage {
  /** The one local person, made at first start. */
  readonly userId: string;
  /** 32 bytes of this hub's own. */
  readonly tokenSecret: Uint8Array;

  agent(agentId: string): Promise<Agent | undefined>;
  /** Whose token it is, by its SHA-256. */
  agentWithToken(hash: Uint8Array): Promise<TokenHolder | undefined>;
  addAgent(agent: NewAgent, webhook: Webhook | undefined): Promise<void>;
  /** Whether an agent has this id, or somebody has published keys under it. */
  isTaken(id: string): Promise<boolean>;
  /**
   * @returns undefined when the agent's id is taken by now, and nothing is kept; else the person's own
   * card, null when there is none
   */
  answerPairing(
    agent: NewAgent,
    card: PublishedIdentity | undefined,
    relation: Relation,
  ): Promise<{ readonly personCard: Uint8Array | null } | undefined>;
  /**
   * The version goes up by one.
   * @returns also the notices by the person's id; undefined when there is no such agent
   */
  replaceManifest<Change extends ManifestChange>(
    agentId: string,
    next: Pick<NewAgent, "manifest" | "manifest_hash">,
    decide: (agent: Agent, relations: readonly Relation[]) => Change,
  ): Promise<(Change & { readonly notices: ReadonlyMap<string, ReauthRequiredFrame> }) | undefined>;
  webhooks(): Promise<readonly Webhook[]>;
  setWebhook(webhook: Webhook): Promise<void>;
  /** Its events go with it; its messages wait for its WebSocket. */
  removeWebhook(agentId: string): Promise<void>;

  relation(relationId: string): Promise<Relation | undefined>;
  relationsOf(subject: Subject): Promise<readonly Relation[]>;
  /**
   * A new relation gets its conversation of two. With one that is revoked goes what waited for the
   * agent in the person's conversations, and the agent leaves the person's groups.
   */
  changeRelation<Change extends RelationChange>(
    which: { readonly relation_id: string } | { readonly agent_id: string },
    decide: (agent: Agent | undefined, present: Relation | undefined) => Change,
  ): Promise<Change & { readonly groupsLeft: readonly Conversation[] }>;

  conversation(conversationId: string): Promise<Conversation | undefined>;
  /** Those in which this member is active, and a person's with suspended agents; oldest first. */
  conversationsOf(memberId: string): Promise<readonly ConversationSummary[]>;
  /** `undefined` unless it is one of `conversationsOf`. */
  conversationOf(memberId: string, conversationId: string): Promise<WithMembers | undefined>;
  /** @param agentIds which agents `decide` wants to know of */
  createGroup<New extends NewGroup>(
    by: Subject,
    agentIds: readonly string[],
    decide: (known: Acquaintances) => New,
  ): Promise<New & { readonly group: Conversation }>;
  /** What waited there for members who leave is dropped. As `createGroup`. */
  changeGroup<Change extends GroupChange>(
    conversationId: string,
    by: Subject,
    agentIds: readonly string[],
    decide: (group: Group | undefined, known: Acquaintances) => Change,
  ): Promise<Change & { readonly group: Conversation }>;

  /**
   * A resend is always taken, and delivered to nobody; anything else is refused to those who are not
   * active in a conversation with somebody else, over the sender's limits, and when the queue of any
   * recipient is full.
   */
  acceptMessage(message: NewMessage, admission: Admission | undefined): Promise<Kept | NotKept>;
  received(recipientId: string, conversationId: string, seq: number): Promise<void>;
  /**
   * A position beyond the last message counts as the last, and nobody's moves back.
   * @returns undefined for who is no active member
   */
  markRead(conversationId: string, memberId: string, seq: number): Promise<ReadMark | undefined>;
  /** Another's notice, or one that is not there, is left alone. */
  noticeReceived(userId: string, noticeId: string): Promise<void>;
  /**
   * In the order of acceptance, which is `conversation_seq` order within each conversation. What
   * waits for an agent whose relation is suspended is held back until it is restored.
   */
  undelivered(
    recipientId: string,
    afterDelivery: number,
    limit: number,
  ): Promise<readonly Undelivered[]>;
  /** How things stand for somebody who connects, all of one moment. */
  standing(subject: Subject): Promise<Standing>;

  /** The conversations in which something waits for the agent and may be delivered now. */
  lanes(agentId: string): Promise<readonly string[]>;
  /** What is next in a conversation: messages and events in the order they came about. */
  nextDelivery(agentId: string, conversationId: string): Promise<Waiting | undefined>;
  /** A webhook agent's 2xx is its `message.received`. */
  settleDelivery(agentId: string, waiting: Waiting): Promise<void>;

  /**
   * With another key than before all older prekeys go, and with a person's its ledgers, to which
   * nobody could append any more.
   * @param changing called before another key takes an older one's place; what it throws prevents that
   */
  publishKeys(
    owner: Subject,
    identity: PublishedIdentity,
    oneTimePrekeys: readonly Uint8Array[],
    changing: () => void,
  ): Promise<{ readonly isChanged: boolean; readonly oneTimeLeft: number }>;
  /** `undefined` also for who shares no conversation with the owner in which both are active. */
  keysOf(ownerId: string, askerId: string): Promise<OwnersKeys | undefined>;
  /** As `keysOf`, and once prekeys were published: the oldest one-time prekey is gone when this resolves. */
  takeBundle(ownerId: string, askerId: string): Promise<TakenBundle | undefined>;
  /** Who is active in a conversation with this member. */
  sharingWith(memberId: string): Promise<readonly string[]>;
  /** From the entry of index `from` on; `length` counts all. */
  ledger(
    relationId: string,
    from: number,
  ): Promise<{ readonly entries: readonly Uint8Array[]; readonly length: number }>;
  /** Not kept unless it is the next one and there is room. @returns entries there are now */
  appendLedger(
    relationId: string,
    index: number,
    entry: Uint8Array,
  ): Promise<{ readonly isKept: boolean; readonly length: number }>;

  /** Deletes messages that everybody has received and that were made before (ms since the epoch). */
  prune(before: number): Promise<void>;
  /** Keeps what is under way, and ends. */
  close(): Promise<void>;
}
