import type { Clock, HubOptions, Log, RandomBytes, Scheduler } from "./hub-options.ts";
import type { AgentLimits } from "./limits/agent-limits.ts";
import type { FullHistories } from "./limits/full-histories.ts";
import type { Connections } from "./lines/connections.ts";
import type { OpenStreams } from "./messages/open-streams.ts";
import type { AgentStore } from "./storage/agent-store.ts";
import type { ConversationStore } from "./storage/conversation-store.ts";
import type { GroupCommit } from "./storage/group-commit.ts";
import type { KeyStore } from "./storage/key-store.ts";
import type { LedgerStore } from "./storage/ledger-store.ts";
import type { MemberStore } from "./storage/member-store.ts";
import type { MessageStore } from "./storage/message-store.ts";
import type { NoticeStore } from "./storage/notice-store.ts";
import type { RelationStore } from "./storage/relation-store.ts";
import type { WebhookStore } from "./storage/webhook-store.ts";
import type { AccessTokens } from "./tokens/access-token.ts";
import type { Webhooks } from "./webhooks/webhooks.ts";

/** What the hub's rooms share: the outside world, the stores and who is connected. */
export interface HubParts {
  readonly userId: string;
  readonly clock: Clock;
  readonly scheduler: Scheduler;
  readonly random: RandomBytes;
  readonly log: Log;
  readonly checkSchema: HubOptions["checkSchema"];
  /** Runs `write` in one IMMEDIATE transaction: all of it is kept, or nothing. */
  readonly atomically: <Value>(write: () => Value) => Value;
  readonly commits: GroupCommit;
  readonly agents: AgentStore;
  readonly relations: RelationStore;
  readonly conversations: ConversationStore;
  readonly members: MemberStore;
  readonly messages: MessageStore;
  readonly notices: NoticeStore;
  readonly accessTokens: AccessTokens;
  readonly connections: Connections;
  readonly streams: OpenStreams;
  readonly webhookStore: WebhookStore;
  readonly webhooks: Webhooks;
  readonly limits: AgentLimits;
  readonly fullHistories: FullHistories;
  readonly keys: KeyStore;
  readonly ledgers: LedgerStore;
}
