import { createServer } from "node:http";
import { linkedFrameSockets } from "../app/protocol/v1/frame-socket.ts";
import { isClientFrame } from "../app/protocol/v1/frames.ts";
import { lockFile } from "../crypto/file-lock.ts";
import { OwnFileError } from "../crypto/own-file.ts";
import { assemble } from "./assemble.ts";
import { HubError } from "./hub-error.ts";
import type { Hub, HubOptions } from "./hub-options.ts";
import type { HubParts } from "./hub-parts.ts";
import { CLOSE } from "./lines/close-codes.ts";
import type { Line } from "./lines/line.ts";
import { listen } from "./listen.ts";
import { Pairings } from "./pairing/pairings.ts";
import { serveRest } from "./rest/serve-rest.ts";
import { allRoutes } from "./routes/all-routes.ts";
import { acceptUpgrades } from "./sessions/accept-upgrades.ts";
import { type Entrance, sessionHost } from "./sessions/hub-session-host.ts";
import { Session } from "./sessions/session.ts";
import { faultOf } from "./storage/group-commit.ts";
import { type OpenedHubDatabase, openDatabase } from "./storage/open-database.ts";

const HOUR_MS = 3_600_000;
/** How long a resend of a message is still recognised after everybody has received it. */
const DEDUPE_MS = 24 * HOUR_MS;

/**
 * Starts the hub on loopback.
 * @throws HubError "host_refused", "port_in_use", "listen_failed", "database_in_use",
 * "database_unusable", "database_too_new"
 */
export async function startHub(options: HubOptions): Promise<Hub> {
  if (options.host !== undefined && options.host !== "127.0.0.1") {
    throw new HubError("host_refused");
  }
  const opened = open(options.databasePath, options.clock.now());
  if (opened.recovery !== null) options.recovered?.(opened.recovery);
  try {
    return await serve(options, assemble(options, opened.db), opened);
  } catch (error) {
    opened.close();
    throw error;
  }
}

interface Opened extends OpenedHubDatabase {
  readonly close: () => void;
}

/** One hub a database: two would each deliver what they alone know. */
function lockDatabase(path: string): () => void {
  if (path === ":memory:") return () => undefined;
  let release: (() => void) | null;
  try {
    release = lockFile(`${path}.lock`);
  } catch (error) {
    if (error instanceof OwnFileError) throw error;
    throw new HubError("database_unusable", { cause: error });
  }
  if (release === null) throw new HubError("database_in_use");
  return release;
}

function open(path: string, now: number): Opened {
  const release = lockDatabase(path);
  try {
    const { db, recovery } = openDatabase(path, now);
    return {
      db,
      recovery,
      close() {
        db.close();
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

async function serve(options: HubOptions, parts: HubParts, opened: Opened): Promise<Hub> {
  // The guard compiles at its first use, which must not be somebody's first message.
  isClientFrame(null);
  const pairings = new Pairings(parts);
  const routes = allRoutes(parts, pairings);
  let port = 0;
  const server = createServer((request, response) => {
    void serveRest(parts, routes, port, request, response);
  });
  port = await listen(server, options.port);
  const sessions = new Set<Session>();
  const enter = (line: Line, entrance: Entrance): void => {
    const host = sessionHost(parts, pairings, entrance, (session) => sessions.delete(session));
    sessions.add(new Session(line, host, parts.scheduler));
  };
  const cutUpgrades = acceptUpgrades(server, port, enter);
  const stopPruning = pruneHourly(parts);
  parts.webhooks.begin();
  let closing: Promise<void> | undefined;

  async function shutDown(): Promise<void> {
    stopPruning();
    pairings.end();
    parts.webhooks.close();
    parts.streams.close();
    for (const session of sessions) session.close(CLOSE.goingAway);
    cutUpgrades();
    const stopped = new Promise<void>((resolve) => server.close(() => resolve()));
    server.closeAllConnections();
    await stopped;
    parts.commits.flush();
    opened.close();
  }

  return {
    url: `http://127.0.0.1:${port}`,
    userId: parts.userId,
    issueAccessToken: () => parts.accessTokens.issue(parts.userId),
    connectHuman() {
      const [theirs, ours] = linkedFrameSockets();
      enter(ours, { kind: "human" });
      return theirs;
    },
    close() {
      closing ??= shutDown();
      return closing;
    },
  };
}

function pruneHourly(parts: HubParts): () => void {
  let cancel: () => void = () => undefined;
  const prune = (): void => {
    try {
      parts.messages.prune(parts.clock.now() - DEDUPE_MS);
    } catch (error) {
      // Tidying up can wait an hour; messages cannot.
      parts.log({ code: "prune_failed", fault: faultOf(error) });
    }
    cancel = parts.scheduler.after(HOUR_MS, prune);
  };
  prune();
  return () => cancel();
}
