import type { HubOptions } from "./hub-options.ts";
import type { HubParts } from "./hub-parts.ts";
import { Connections } from "./sessions/connections.ts";
import { agentStore } from "./storage/agent-store.ts";
import { conversationStore } from "./storage/conversation-store.ts";
import { GroupCommit } from "./storage/group-commit.ts";
import { messageStore } from "./storage/message-store.ts";
import { noticeStore } from "./storage/notice-store.ts";
import type { HubDatabase } from "./storage/open-database.ts";
import { relationStore } from "./storage/relation-store.ts";
import { settingOrCreate } from "./storage/settings-store.ts";
import { accessTokens } from "./tokens/access-token.ts";
import { newId } from "./tokens/random-text.ts";

const TOKEN_SECRET_BYTES = 32;

/** The hub's parts over an open database; makes the local person and the secret at first start. */
export function assemble(options: HubOptions, db: HubDatabase): HubParts {
  const { clock, scheduler, random, checkSchema, log = () => undefined } = options;
  const user = settingOrCreate(db, "local_user_id", () => Buffer.from(newId(random), "utf8"));
  const secret = settingOrCreate(db, "access_token_secret", () => random(TOKEN_SECRET_BYTES));
  const commits = new GroupCommit(db, log);
  return {
    userId: Buffer.from(user).toString("utf8"),
    clock,
    scheduler,
    random,
    log,
    checkSchema,
    atomically(write) {
      // What was sent before this change is judged by what held before it.
      commits.flush();
      return db.transaction(write).immediate();
    },
    commits,
    agents: agentStore(db),
    relations: relationStore(db),
    conversations: conversationStore(db),
    messages: messageStore(db),
    notices: noticeStore(db),
    accessTokens: accessTokens(secret, clock),
    connections: new Connections(),
  };
}
