import type { HubOptions } from "./hub-options.ts";
import type { HubParts } from "./hub-parts.ts";
import { agentLimits } from "./limits/agent-limits.ts";
import { FullHistories } from "./limits/full-histories.ts";
import { Connections } from "./lines/connections.ts";
import { OpenStreams } from "./messages/open-streams.ts";
import { agentStore } from "./storage/agent-store.ts";
import { conversationStore } from "./storage/conversation-store.ts";
import { GroupCommit } from "./storage/group-commit.ts";
import { keyStore } from "./storage/key-store.ts";
import { ledgerStore } from "./storage/ledger-store.ts";
import { memberStore } from "./storage/member-store.ts";
import { messageStore } from "./storage/message-store.ts";
import { noticeStore } from "./storage/notice-store.ts";
import type { HubDatabase } from "./storage/open-database.ts";
import { relationStore } from "./storage/relation-store.ts";
import { settingOrCreate } from "./storage/settings-store.ts";
import { webhookStore } from "./storage/webhook-store.ts";
import { accessTokens } from "./tokens/access-token.ts";
import { newId } from "./tokens/random-text.ts";
import { postDelivery } from "./webhooks/post-delivery.ts";
import { settleDelivery } from "./webhooks/settle-delivery.ts";
import { Webhooks } from "./webhooks/webhooks.ts";

const TOKEN_SECRET_BYTES = 32;

/** The hub's parts over an open database; makes the local person and the secret at first start. */
export function assemble(options: HubOptions, db: HubDatabase): HubParts {
  const { clock, scheduler, random, checkSchema, log = () => undefined } = options;
  const user = settingOrCreate(db, "local_user_id", () =>
    Buffer.from(options.formerUserId ?? newId(random), "utf8"),
  );
  const secret = settingOrCreate(db, "access_token_secret", () => random(TOKEN_SECRET_BYTES));
  const commits = new GroupCommit(db, log);
  const atomically: HubParts["atomically"] = (write) => {
    // What was sent before this change is judged by what held before it.
    commits.flush();
    return db.transaction(write).immediate();
  };
  const messages = messageStore(db);
  const connections = new Connections();
  const webhookRows = webhookStore(db);
  const webhooks = new Webhooks({
    clock,
    scheduler,
    random,
    log,
    connections,
    store: webhookRows,
    post: postDelivery(clock, scheduler),
    settle: (agentId, waiting) =>
      atomically(() => settleDelivery(messages, webhookRows, agentId, waiting)),
  });
  return {
    userId: Buffer.from(user).toString("utf8"),
    clock,
    scheduler,
    random,
    log,
    checkSchema,
    atomically,
    commits,
    agents: agentStore(db),
    relations: relationStore(db),
    conversations: conversationStore(db),
    members: memberStore(db),
    messages,
    notices: noticeStore(db),
    accessTokens: accessTokens(secret, clock),
    connections,
    streams: new OpenStreams(scheduler),
    webhookStore: webhookRows,
    webhooks,
    limits: agentLimits(options.limits ?? {}, options.monotonic ?? performance),
    fullHistories: new FullHistories(),
    keys: keyStore(db),
    ledgers: ledgerStore(db),
  };
}
