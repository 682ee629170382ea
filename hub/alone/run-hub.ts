import { randomBytes } from "node:crypto";
import { join, resolve } from "node:path";
import { makeOwnFolder, ownFileError } from "../../runtime/files/own-file.ts";
import { hubError } from "../hub-error.ts";
import type { HubOptions, HubServer, Scheduler } from "../hub-options.ts";
import { natsWakes } from "../nats/nats-wakes.ts";
import { openPostgres } from "../postgres/open-postgres.ts";
import { startHub } from "../start-hub.ts";
import { HUB_USAGE, type HubFlags, hubFlagError, readHubFlags } from "./hub-flags.ts";
import { writeOwnerFiles } from "./owner-files.ts";
import { Probes } from "./probes.ts";

export interface HubSurroundings {
  readonly checkSchema: HubOptions["checkSchema"];
  /** One line of JSON for programs that started us. */
  readonly stdout: (line: string) => void;
  /** Everything for people. */
  readonly stderr: (line: string) => void;
  /** In place of flags. */
  readonly env?: NodeJS.ProcessEnv;
  /** Resolves when the hub must end. */
  readonly stopped: Promise<unknown>;
}

const DRAIN_MS = 10_000;
/** What another node can let in a hundred of in a second, on two processors with its database. */
const DRAIN_EACH_MS = 10;
/** Over how long a node that ends sends so many clients away. */
export const drainWindowMs = (clients: number): number =>
  Math.max(DRAIN_MS, clients * DRAIN_EACH_MS);

const scheduler: Scheduler = {
  after(ms, run) {
    const timer = setTimeout(run, ms);
    return () => clearTimeout(timer);
  },
};

/**
 * The hub without a client, until it is stopped.
 * @returns exit code: 0, 1 when it could not start, 2 for flags it does not take
 */
export async function runHub(argv: readonly string[], around: HubSurroundings): Promise<0 | 1 | 2> {
  if (argv.includes("--help")) {
    around.stderr(HUB_USAGE);
    return 0;
  }
  try {
    await serveUntilStopped(readHubFlags(argv, around.env ?? {}), around);
    return 0;
  } catch (error) {
    around.stderr(farewellOf(error));
    return hubFlagError.is(error) ? 2 : 1;
  }
}

async function serveUntilStopped(flags: HubFlags, around: HubSurroundings): Promise<void> {
  const { checkSchema, stdout, stderr, stopped } = around;
  const dataDir = resolve(flags.dataDir);
  makeFolder(dataDir);
  const log: HubOptions["log"] = (event) =>
    stderr(JSON.stringify({ time: new Date().toISOString(), ...event }));
  const { database, nats, host, port, publicUrl, tls, proxies } = flags;
  const probes = new Probes(around.env?.CONSENTRY_HUB_METRICS_TOKEN);
  const options: HubOptions = {
    databasePath: join(dataDir, "hub.db"),
    ...{ host, port, publicUrl, tls, proxies },
    probe: (request, response) => probes.answer(request, response),
    count: (event) => probes.count(event),
    clock: { now: () => Date.now() },
    scheduler,
    random: randomBytes,
    checkSchema,
    log,
    ...(nats === undefined ? {} : { wakes: (nodeId) => natsWakes(nats, nodeId, scheduler, log) }),
    recovered: ({ setAside }) => stderr(recoveredLine(setAside)),
  };
  const hub: HubServer = await (database === undefined
    ? startHub(options)
    : startHub(options, (asked) => openPostgres(database, asked)));
  try {
    probes.attach(hub);
    const files = await writeOwnerFiles(hub, dataDir, scheduler, log);
    stdout(JSON.stringify({ event: "ready", hub: hub.url, owner_token_file: files.tokenFile }));
    stderr(`The hub runs at ${hub.url}. Its owner's access token: ${files.tokenFile}`);
    await stopped;
    files.remove();
    // Where there are other nodes, clients go to those, a few at a time.
    if (database !== undefined) await hub.drain(drainWindowMs(hub.connections()));
  } finally {
    await hub.close();
  }
}

function makeFolder(dataDir: string): void {
  try {
    makeOwnFolder(dataDir);
  } catch (error) {
    if (ownFileError.is(error)) throw error;
    throw hubError("database_unusable", { cause: error });
  }
}

const recoveredLine = (setAside: string | null): string =>
  `The hub's database was ${setAside === null ? "gone" : `damaged and has been set aside as ${setAside}`}. ` +
  "Agents and relations were put back as far as its copy holds them; messages on their way are lost.";

/** One line with a code; an unknown error's own text may contain what must not be printed. */
function farewellOf(error: unknown): string {
  if (hubFlagError.is(error) || ownFileError.is(error))
    return `The hub did not start (${error.code}): ${error.message}`;
  if (hubError.is(error)) {
    const about = error.message === error.code ? "" : `: ${error.message}`;
    return `The hub did not start (${error.code})${about}`;
  }
  const name = error instanceof Error ? error.name : typeof error;
  return `The hub did not start (internal_error: ${name})`;
}
