import { once } from "node:events";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { linkedFrameSockets } from "../app/protocol/v1/frame-socket.ts";
import { isClientFrame } from "../app/protocol/v1/frames.ts";
import { Accounts } from "./accounts/accounts.ts";
import { Conversations } from "./conversations/conversations.ts";
import { faultOf, refusal, startError } from "./hub-error.ts";
import type { Wakes } from "./hub-nodes.ts";
import type { HubOptions, HubServer, Log } from "./hub-options.ts";
import type { HubStorage } from "./hub-storage.ts";
import { KeyDirectory } from "./keys/key-directory.ts";
import { keyLimits, retryAfter } from "./limits/agent-limits.ts";
import { RequestLimits } from "./limits/request-limits.ts";
import { Connections } from "./lines/connections.ts";
import { CLOSE, type Line } from "./lines/line.ts";
import { Messages } from "./messages/messages.ts";
import { OpenStreams } from "./messages/open-streams.ts";
import { Pairings } from "./pairing/pairings.ts";
import { Agents } from "./registry/agents.ts";
import { Relations } from "./relations/relations.ts";
import { callerAddress, foreignness } from "./rest/local-only.ts";
import { serveRest } from "./rest/serve-rest.ts";
import { allRoutes } from "./routes/all-routes.ts";
import { acceptUpgrades } from "./sessions/accept-upgrades.ts";
import { fewAtOnce } from "./sessions/few-at-once.ts";
import { type Entrance, resync, routeFrame, sessionHost } from "./sessions/hub-session-host.ts";
import { Session } from "./sessions/session.ts";
import { openStorage, type StorageOptions } from "./storage/open-storage.ts";
import { accessTokens, subjectBy } from "./tokens/access-token.ts";
import { newId } from "./tokens/random-text.ts";
import { postDelivery } from "./webhooks/post-delivery.ts";
import { Webhooks } from "./webhooks/webhooks.ts";

const HOUR_MS = 3_600_000;
/** Clients of a hub that ends come to another within this time, in ms. */
const COME_AGAIN_MS = 1_000;
/** Fewer than there are connections to PostgreSQL, which messages need too. */
const LET_IN_AT_ONCE = 4;
/** How long a resend is still recognised after everybody has received the message, in ms. */
const DEDUPE_MS = 24 * HOUR_MS;

/**
 * Starts the hub.
 * @param open opens the storage; replaceable to use a database other than SQLite
 * @throws HubError "port_in_use", "listen_failed", "database_in_use", "database_unusable",
 * "database_other_version"
 */
export async function startHub(
  options: HubOptions,
  open: (options: StorageOptions) => Promise<HubStorage> = openStorage,
): Promise<HubServer> {
  const log = options.log ?? (() => undefined);
  const storage = await open({ ...options, log });
  const { nodes } = storage;
  let wakes: Wakes | undefined;
  try {
    if (nodes !== null) wakes = options.wakes?.(nodes.id) ?? (await nodes.wakes());
    return await serve(options, storage, wakes ?? null, log);
  } catch (error) {
    await wakes?.close();
    await storage.close();
    throw error;
  }
}

async function serve(
  options: HubOptions,
  storage: HubStorage,
  wakes: Wakes | null,
  log: Log,
): Promise<HubServer> {
  // The guard compiles on first use, which should not delay the first message.
  isClientFrame(null);
  let port = 0;
  const { host = "127.0.0.1", publicUrl, tls, proxies = [], probe = () => false } = options;
  const scheme = tls === undefined ? "http" : "https";
  const address = () => publicUrl ?? `${scheme}://127.0.0.1:${port}`;
  const publicHost = publicUrl === undefined ? undefined : new URL(publicUrl).host;
  let isDraining = false;
  const admit = (request: IncomingMessage): string => {
    const foreign = foreignness(request, port, "none", publicHost);
    if (foreign !== undefined) throw foreign;
    return callerAddress(request, proxies);
  };
  const { random } = options;
  const localPerson = await storage.localPerson(options.formerUserId ?? newId(random));
  const parts = { storage, wakes, localPerson, address };
  const hub = await assemble({ ...options, log }, parts);
  const limits = new RequestLimits(options.monotonic ?? performance);
  const rest = { ...hub.rest, admit, limits };
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    if (!probe(request, response)) void serveRest(rest, request, response);
  };
  const server = tls === undefined ? createServer(answer) : createTlsServer(tls, answer);
  port = await listen(server, host, options.port);
  const sessions = new Set<Session>();
  const enter = (line: Line, entrance: Entrance): void => {
    const session = sessionHost(hub.sessions, entrance, (session) => sessions.delete(session));
    hub.rest.count("connection");
    sessions.add(new Session(line, session, options.scheduler));
  };
  const admitSocket = (request: IncomingMessage): void => {
    admit(request);
    if (isDraining) throw refusal("UNAVAILABLE", retryAfter(COME_AGAIN_MS));
  };
  const cutUpgrades = acceptUpgrades(server, admitSocket, enter);
  const stopPruning = pruneHourly(options, storage, log);
  await hub.begin();
  let closing: Promise<void> | undefined;

  async function shutDown(): Promise<void> {
    stopPruning();
    hub.end();
    for (const session of sessions) session.close(CLOSE.goingAway);
    cutUpgrades();
    const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await stopped;
    await wakes?.close();
    await storage.close();
  }

  return {
    url: address(),
    userId: localPerson,
    issueAccessToken: hub.issueAccessToken,
    connectHuman() {
      const [theirs, ours] = linkedFrameSockets();
      enter(ours, { kind: "human" });
      return theirs;
    },
    connections: hub.connections,
    async isReady() {
      if (isDraining) return false;
      // Any question will do.
      await storage.account(localPerson);
      return true;
    },
    async drain(windowMs) {
      isDraining = true;
      const present = [...sessions];
      const leaving = present.map(async (session, nth) => {
        await new Promise<void>((resolve) => {
          options.scheduler.after((windowMs * nth) / present.length, resolve);
        });
        const chance = Buffer.from(random(2)).readUInt16BE() / 2 ** 16;
        await session.leave(Math.round(COME_AGAIN_MS * chance));
      });
      await Promise.all(leaving);
    },
    close() {
      closing ??= shutDown();
      return closing;
    },
  };
}

/** @returns the port, also when 0 asked for any free one. @throws HubError */
async function listen(server: Server, host: string, port: number): Promise<number> {
  try {
    await once(server.listen({ host, port, exclusive: true }), "listening");
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === "EADDRINUSE";
    throw startError(isTaken ? "port_in_use" : "listen_failed", port, { cause: error });
  }
  return (server.address() as AddressInfo).port;
}

function pruneHourly({ clock, scheduler }: HubOptions, storage: HubStorage, log: Log): () => void {
  let cancel: () => void = () => undefined;
  const prune = (): void => {
    // Tidying up can wait an hour; messages cannot.
    storage.prune(clock.now() - DEDUPE_MS).catch((error: unknown) => {
      log({ code: "prune_failed", fault: faultOf(error) });
    });
    cancel = scheduler.after(HOUR_MS, prune);
  };
  prune();
  return () => cancel();
}

/** Assembles the hub on its storage, for REST, sessions and the start. */
async function assemble(
  options: HubOptions,
  {
    storage,
    wakes,
    localPerson,
    address,
  }: {
    readonly storage: HubStorage;
    readonly wakes: Wakes | null;
    readonly localPerson: string;
    readonly address: () => string;
  },
) {
  const {
    clock,
    scheduler,
    random,
    checkSchema,
    log = () => undefined,
    count = () => undefined,
  } = options;
  const tokens = accessTokens(storage.tokenSecret, clock, random);
  const subjectOf = subjectBy(storage, tokens, localPerson);
  const limits = keyLimits(options.monotonic ?? performance);
  const connections = new Connections(storage.nodes, wakes, log);
  const common = { storage, connections, random };
  const post = postDelivery(clock, scheduler);
  const webhooks = new Webhooks(
    { ...common, clock, scheduler, log, post },
    await storage.webhooks(),
  );
  const conversations = new Conversations(common);
  const relations = new Relations({ ...common, webhooks, conversations });
  const streams = new OpenStreams(scheduler);
  const agents = new Agents({
    ...common,
    webhooks,
    relations,
    conversations,
    streams,
    clock,
    checkSchema,
  });
  const accounts = new Accounts({ ...common, relations, tokens, clock, localPerson, address });
  const isPerson = (userId: string) => accounts.isPerson(userId);
  const about = { agents, relations, localPerson, isPerson };
  const pairings = new Pairings({ ...common, ...about, clock, scheduler, log });
  const keys = new KeyDirectory({ ...common, limits });
  const messages = new Messages({ ...common, webhooks, streams, clock, count });
  const frames = { storage, messages, conversations };
  const routes = allRoutes({
    ...{ accounts, pairings, agents, relations },
    ...{ keys, conversations, messages },
  });
  const sessions = {
    ...{ storage, connections, relations, pairings, scheduler, log, subjectOf, isPerson },
    inTurn: fewAtOnce(LET_IN_AT_ONCE),
    received: routeFrame.bind(undefined, frames),
  };
  connections.resync = (connection) => resync(sessions, connection);
  connections.left = (agentId) => relations.announcePresence(agentId);
  connections.laneWaits = (...lane) => webhooks.wake(...lane);
  connections.calledChanged = async (agentId) =>
    agents.switch(agentId, await storage.webhook(agentId));
  return {
    rest: { routes, subjectOf, log, count },
    sessions,
    connections: () => connections.size,
    issueAccessToken: () => tokens.issue(localPerson),
    async begin() {
      webhooks.begin();
      await connections.begin(scheduler);
    },
    end() {
      connections.end();
      pairings.end();
      webhooks.close();
      streams.close();
    },
  };
}
