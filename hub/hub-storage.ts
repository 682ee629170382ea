import type { ConversationSummary } from "../app/protocol/v1/answers.ts";
import type { ReauthRequiredFrame } from "../app/protocol/v1/frames.ts";
import type { Nodes } from "./hub-nodes.ts";
import type {
  Account,
  Admission,
  Agent,
  ClosedPairing,
  Conversation,
  Group,
  GroupChange,
  InvitableAgents,
  Invitation,
  Kept,
  ManifestChange,
  NewAgent,
  NewGroup,
  NewMessage,
  NewPairing,
  NotKept,
  OwnersKeys,
  PublishedIdentity,
  ReadMark,
  Relation,
  RelationChange,
  Snapshot,
  StoredPairing,
  Subject,
  TakenBundle,
  TokenHolder,
  Undelivered,
  Waiting,
  Webhook,
  WithMembers,
} from "./hub-records.ts";

/**
 * What the hub stores. Each operation is one transaction including its checks, stored completely or
 * rejected. Operations take effect and resolve in the order of the calls; a write resolves once durable,
 * except `acceptMessage`.
 *
 * A `decide` is called inside the transaction with the state there, and must depend on that alone; if
 * it throws, the transaction is rolled back and the operation rejects with the error.
 */
export interface HubStorage {
  /** 32 bytes of this hub's own. */
  readonly tokenSecret: Uint8Array;
  /** Null: no other process may use this database. */
  readonly nodes: Nodes | null;

  /** The id of the person whose hub it is: this one, unless it has one already. */
  localPerson(userId: string): Promise<string>;

  /** A person's; the local one has none. */
  account(userId: string): Promise<Account | undefined>;
  /** The oldest first. */
  accounts(): Promise<readonly Account[]>;
  /** @param now milliseconds since the epoch; older invitations are forgotten */
  invite(invitation: Omit<Invitation, "used_by">, now: number): Promise<void>;
  /**
   * Makes an invitation an account.
   * @returns undefined if it was used by another key, is over or unknown, or the id is taken; the
   * account that is there if the same key has used it
   */
  join(
    tokenHash: Uint8Array,
    by: Pick<Account, "user_id" | "key_id" | "created_at">,
  ): Promise<Account | undefined>;
  /** @returns undefined when there is no such account */
  setAccountStatus(userId: string, status: Account["status"]): Promise<Account | undefined>;
  /** @returns whether there was such an account */
  removeAccount(userId: string): Promise<boolean>;

  agent(agentId: string): Promise<Agent | undefined>;
  /** The owner of a token, by its SHA-256. */
  agentWithToken(hash: Uint8Array): Promise<TokenHolder | undefined>;
  addAgent(agent: NewAgent, webhook: Webhook | undefined): Promise<void>;
  /** Whether an agent has this id, or somebody has published keys under it. */
  isTaken(id: string): Promise<boolean>;

  /**
   * Forgets those that are over.
   * @param most how many may wait for one person
   * @returns false when so many wait already, and nothing is stored
   */
  openPairing(pairing: NewPairing, most: number, now: number): Promise<boolean>;
  pairing(pairingId: string): Promise<StoredPairing | undefined>;
  /** The oldest first. @param now milliseconds since the epoch; who asked until then no longer waits */
  pairingsWaiting(userId: string, now: number): Promise<readonly StoredPairing[]>;
  /** @returns whether it was waiting */
  closePairing(pairingId: string, status: ClosedPairing, forgetAt: number): Promise<boolean>;
  /**
   * Adds the agent and its relation.
   * @param given what the agent is told besides its token and the person's card
   * @returns undefined when the agent's id is already taken, null when the pairing does not wait; then
   * nothing is stored. Else the person's own card, if there is one
   */
  acceptPairing(
    pairingId: string,
    agent: NewAgent,
    card: PublishedIdentity | undefined,
    relation: Relation,
    forgetAt: number,
  ): Promise<{ readonly personCard: Uint8Array | null } | undefined | null>;
  /** The agent has its token: what it was given is not told again. */
  collectPairing(agentId: string, forgetAt: number): Promise<void>;

  /**
   * An agent that its owner brings along from another hub, or back. Its conversation's numbers continue
   * above `lastSeq`; its token is the new one, unless it has connected with an older one.
   * @param isOwn whether it may, from what is there; `isTaken`: one of a new agent's ids is somebody's
   * @returns whether the token is new; undefined, with nothing stored, if it may not
   */
  arrive(
    agent: NewAgent,
    card: PublishedIdentity,
    relation: Relation,
    lastSeq: number,
    isOwn: (there: Agent | undefined, present: Relation | undefined, isTaken: boolean) => boolean,
  ): Promise<boolean | undefined>;
  /**
   * The version goes up by one.
   * @returns also the notices by the person's id, and the groups that the agent left; undefined when
   * there is no such agent
   */
  replaceManifest<Change extends ManifestChange>(
    agentId: string,
    next: Pick<NewAgent, "manifest" | "manifest_hash">,
    decide: (agent: Agent, relations: readonly Relation[]) => Change,
  ): Promise<
    | (Change & {
        readonly notices: ReadonlyMap<string, ReauthRequiredFrame>;
        readonly groupsLeft: readonly Conversation[];
      })
    | undefined
  >;
  webhooks(): Promise<readonly Webhook[]>;
  webhook(agentId: string): Promise<Webhook | undefined>;
  setWebhook(webhook: Webhook): Promise<void>;
  /** Deletes its events too; its messages wait for its WebSocket. */
  removeWebhook(agentId: string): Promise<void>;

  relation(relationId: string): Promise<Relation | undefined>;
  relationsOf(subject: Subject): Promise<readonly Relation[]>;
  /**
   * A new relation gets its conversation of two. Revoking one drops what waited for the agent in the
   * person's conversations and removes the agent from the person's groups.
   */
  changeRelation<Change extends RelationChange>(
    which: { readonly relation_id: string } | Pick<Relation, "agent_id" | "user_id">,
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
    decide: (known: InvitableAgents) => New,
  ): Promise<New & { readonly group: Conversation }>;
  /** What waited there for members who leave is dropped. As `createGroup`. */
  changeGroup<Change extends GroupChange>(
    conversationId: string,
    by: Subject,
    agentIds: readonly string[],
    decide: (group: Group | undefined, known: InvitableAgents) => Change,
  ): Promise<Change & { readonly group: Conversation }>;

  /**
   * A resend is always accepted, and delivered to nobody. Anything else is refused unless the sender is
   * active in a conversation with somebody else, within its limits, and no recipient's queue is full.
   * A message counts for its sender's limits once, and only if it is kept (contract §8).
   * Resolves as soon as it may be delivered, which may be before it is durable (`Kept.safe`). Numbers
   * given to messages that were never durable are not given again, even after a crash.
   */
  acceptMessage(message: NewMessage, admission: Admission): Promise<Kept | NotKept>;
  /** Whether this person's client stores no more of this agent's messages; not kept across a restart. */
  setHistoryFull(userId: string, agentId: string, isFull: boolean): Promise<void>;
  /** Nobody could report meanwhile that there is room again. */
  forgetFullHistories(userId: string): Promise<void>;
  received(recipientId: string, conversationId: string, seq: number): Promise<void>;
  /**
   * A position beyond the last message counts as the last, and positions never go back.
   * @returns undefined for somebody who is not an active member
   */
  markRead(conversationId: string, memberId: string, seq: number): Promise<ReadMark | undefined>;
  /** Ignores somebody else's notice, or an unknown one. */
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
  /** The state for somebody who connects, as one snapshot. */
  snapshot(subject: Subject): Promise<Snapshot>;

  /** The conversations in which something waits for the agent and may be delivered now. */
  lanes(agentId: string): Promise<readonly string[]>;
  /** The next deliveries in a conversation: messages and events in the order they occurred. */
  nextDelivery(agentId: string, conversationId: string): Promise<Waiting | undefined>;
  /** A webhook agent's 2xx is its `message.received`. */
  settleDelivery(agentId: string, waiting: Waiting): Promise<void>;

  /**
   * A changed key deletes all older prekeys, and a person's also the ledgers, to which nobody could
   * append any longer.
   * @param changing called before a key replaces an older one; if it throws, that is prevented
   */
  publishKeys(
    owner: Subject,
    identity: PublishedIdentity,
    oneTimePrekeys: readonly Uint8Array[],
    changing: () => void,
  ): Promise<{ readonly isChanged: boolean; readonly oneTimeLeft: number }>;
  /** Also `undefined` if the two share no conversation in which both are active. */
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
  /** Stored only if it is the next one and there is room. @returns the number of entries now */
  appendLedger(
    relationId: string,
    index: number,
    entry: Uint8Array,
  ): Promise<{ readonly isKept: boolean; readonly length: number }>;

  /** Deletes messages that everybody has received and that are older than this (ms since the epoch). */
  prune(before: number): Promise<void>;
  /** Stores what is under way, and closes. */
  close(): Promise<void>;
}
