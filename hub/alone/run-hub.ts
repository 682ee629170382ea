import { randomBytes } from "node:crypto";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { makeOwnFolder, ownFileError } from "../../runtime/files/own-file.ts";
import { HubError } from "../hub-error.ts";
import type { Hub, HubOptions, Scheduler } from "../hub-options.ts";
import { natsWakes } from "../nats/nats-wakes.ts";
import { openPostgres } from "../postgres/open-postgres.ts";
import { startHub } from "../start-hub.ts";
import { writeOwnerFiles } from "./owner-files.ts";

export interface HubSurroundings {
  readonly checkSchema: HubOptions["checkSchema"];
  /** One line of JSON for programs that started us. */
  readonly stdout: (line: string) => void;
  /** Everything for people. */
  readonly stderr: (line: string) => void;
  /** Resolves when the hub must end. */
  readonly stopped: Promise<unknown>;
}

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
    await serveUntilStopped(readHubFlags(argv), around);
    return 0;
  } catch (error) {
    around.stderr(farewellOf(error));
    return error instanceof HubFlagError ? 2 : 1;
  }
}

async function serveUntilStopped(flags: HubFlags, around: HubSurroundings): Promise<void> {
  const { checkSchema, stdout, stderr, stopped } = around;
  const dataDir = resolve(flags.dataDir);
  makeFolder(dataDir);
  const log: HubOptions["log"] = (event) => stderr(JSON.stringify(event));
  const { database, nats } = flags;
  const options: HubOptions = {
    databasePath: join(dataDir, "hub.db"),
    port: flags.port,
    clock: { now: () => Date.now() },
    scheduler,
    random: randomBytes,
    checkSchema,
    log,
    ...(nats === undefined ? {} : { wakes: (nodeId) => natsWakes(nats, nodeId, scheduler, log) }),
    recovered: ({ setAside }) => stderr(recoveredLine(setAside)),
  };
  const hub: Hub = await (database === undefined
    ? startHub(options)
    : startHub(options, (asked) => openPostgres(database, asked)));
  try {
    const files = await writeOwnerFiles(hub, dataDir, scheduler, log);
    stdout(JSON.stringify({ event: "ready", hub: hub.url, owner_token_file: files.tokenFile }));
    stderr(`The hub runs at ${hub.url}. Its owner's access token: ${files.tokenFile}`);
    await stopped;
    files.remove();
  } finally {
    await hub.close();
  }
}

function makeFolder(dataDir: string): void {
  try {
    makeOwnFolder(dataDir);
  } catch (error) {
    if (ownFileError.is(error)) throw error;
    throw new HubError("database_unusable", { cause: error });
  }
}

const recoveredLine = (setAside: string | null): string =>
  `The hub's database was ${setAside === null ? "gone" : `damaged and has been set aside as ${setAside}`}. ` +
  "Agents and relations were put back as far as its copy holds them; messages on their way are lost.";

/** One line with a code; an unknown error's own text may contain what must not be printed. */
function farewellOf(error: unknown): string {
  if (error instanceof HubFlagError || ownFileError.is(error))
    return `The hub did not start (${error.code}): ${error.message}`;
  if (error instanceof HubError) {
    const about = error.message === error.code ? "" : `: ${error.message}`;
    return `The hub did not start (${error.code})${about}`;
  }
  const name = error instanceof Error ? error.name : typeof error;
  return `The hub did not start (internal_error: ${name})`;
}

interface HubFlags {
  /** 0 = any free one. */
  readonly port: number;
  readonly dataDir: string;
  /** Where PostgreSQL is; undefined: a file in the folder. */
  readonly database: string | undefined;
  readonly nats: URL | undefined;
}

type HubFlagFault = "bad_flag" | "data_dir_missing" | "listen_malformed" | "host_refused";

/** Flags the hub does not take; the message is a sentence for the person who typed them. */
class HubFlagError extends Error {
  override readonly name = "HubFlagError";
  readonly code: HubFlagFault;
  constructor(code: HubFlagFault, message: string) {
    super(message);
    this.code = code;
  }
}

const USUAL = "127.0.0.1:4800";

const HUB_USAGE = `The hub takes these flags:
  --data-dir FOLDER       where its data is
  --listen ADDRESS:PORT   where agents connect; without it, ${USUAL}; port 0: any free
  --database URL          a PostgreSQL instead of a file in that folder: postgres://USER@HOST/NAME
  --nats URL              how hubs on one database wake each other; without it, over the database
  --help                  prints this`;

/** @throws HubFlagError */
function readHubFlags(argv: readonly string[]): HubFlags {
  const values = parse(argv);
  const dataDir = values["data-dir"];
  if (dataDir === undefined || dataDir === "") {
    throw new HubFlagError("data_dir_missing", "--data-dir names the folder the hub keeps all in");
  }
  const { database, nats } = values;
  if (nats !== undefined && (database === undefined || !/^(nats|tls):\/\/[^/]/.test(nats))) {
    throw new HubFlagError("bad_flag", "--nats takes nats://HOST:PORT, and needs --database");
  }
  return {
    port: portOf(values.listen ?? USUAL),
    dataDir,
    database,
    nats: nats === undefined ? undefined : new URL(nats),
  };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      strict: true,
      allowPositionals: false,
      options: {
        listen: { type: "string" },
        "data-dir": { type: "string" },
        database: { type: "string" },
        nats: { type: "string" },
      },
    }).values;
  } catch (error) {
    const said = error instanceof Error ? error.message : "unreadable flags";
    throw new HubFlagError("bad_flag", `${said}\n${HUB_USAGE}`);
  }
}

function portOf(text: string): number {
  const [, host, port] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  if (host === undefined || Number(port) > 65_535) {
    throw new HubFlagError("listen_malformed", `--listen takes an address such as ${USUAL}`);
  }
  // It uses plain HTTP, and anybody who reaches it may pair, so it serves this machine only.
  if (host !== "127.0.0.1") {
    throw new HubFlagError("host_refused", "the hub listens on 127.0.0.1 and nowhere else");
  }
  return Number(port);
}
