import { Conversations } from "./conversations/conversations.ts";
import type { HubOptions } from "./hub-options.ts";
import type { HubStorage } from "./hub-storage.ts";
import { KeyDirectory } from "./keys/key-directory.ts";
import { agentLimits } from "./limits/agent-limits.ts";
import { FullHistories } from "./limits/full-histories.ts";
import { Connections } from "./lines/connections.ts";
import { Messages } from "./messages/messages.ts";
import { OpenStreams } from "./messages/open-streams.ts";
import { Pairings } from "./pairing/pairings.ts";
import { Agents } from "./registry/agents.ts";
import { subjectBy } from "./registry/subject-of.ts";
import { Relations } from "./relations/relations.ts";
import { allRoutes } from "./routes/all-routes.ts";
import { routeFrame } from "./sessions/route-frame.ts";
import { accessTokens } from "./tokens/access-token.ts";
import { postDelivery } from "./webhooks/post-delivery.ts";
import { Webhooks } from "./webhooks/webhooks.ts";

/** Assembles the hub on its storage, for REST, sessions and the start. */
export async function assemble(options: HubOptions, storage: HubStorage) {
  const { clock, scheduler, random, checkSchema, log = () => undefined } = options;
  const tokens = accessTokens(storage.tokenSecret, clock);
  const subjectOf = subjectBy(storage, tokens);
  const limits = agentLimits(options.limits ?? {}, options.monotonic ?? performance);
  const connections = new Connections();
  const common = { storage, connections, random };
  const post = postDelivery(clock, scheduler);
  const webhooks = new Webhooks(
    { ...common, clock, scheduler, log, post },
    await storage.webhooks(),
  );
  const conversations = new Conversations(common);
  const relations = new Relations({ ...common, webhooks, conversations });
  const streams = new OpenStreams(scheduler);
  const agents = new Agents({ ...common, webhooks, relations, streams, clock, checkSchema });
  const pairings = new Pairings({ ...common, agents, relations, clock, scheduler });
  const keys = new KeyDirectory({ ...common, limits });
  const fullHistories = new FullHistories();
  const messages = new Messages({ ...common, webhooks, limits, fullHistories, streams, clock });
  const frames = { storage, messages, conversations, fullHistories };
  const routes = allRoutes({ pairings, agents, relations, keys, conversations, messages });
  return {
    rest: { routes, subjectOf, log },
    sessions: {
      storage,
      connections,
      relations,
      pairings,
      fullHistories,
      scheduler,
      log,
      subjectOf,
      received: routeFrame.bind(undefined, frames),
    },
    issueAccessToken: () => tokens.issue(storage.userId),
    begin: () => webhooks.begin(),
    end() {
      pairings.end();
      webhooks.close();
      streams.close();
    },
  };
}
