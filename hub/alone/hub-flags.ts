import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { parseArgs } from "node:util";
import { errorKind } from "../../app/contract/coded-error.ts";
import { isLoopbackAddress } from "../../runtime/net/addresses.ts";

export interface HubFlags {
  readonly host: string;
  /** 0 = any free one. */
  readonly port: number;
  readonly dataDir: string;
  /** Where PostgreSQL is; undefined: a file in the folder. */
  readonly database: string | undefined;
  readonly nats: URL | undefined;
  /** As people and agents reach it; undefined: where it listens. */
  readonly publicUrl: string | undefined;
  readonly tls: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  /** Addresses of the proxies that encrypt for it. */
  readonly proxies: readonly string[];
}

type HubFlagFault = "bad_flag" | "data_dir_missing" | "listen_malformed" | "host_refused";

/** Flags the hub does not take; the message is a sentence for the person who typed them. */
export const hubFlagError = errorKind<HubFlagFault>("HubFlagError");

const flagError = (code: HubFlagFault, message: string) => hubFlagError(code, { message });

const USUAL = "127.0.0.1:4800";

export const HUB_USAGE = `The hub takes these flags, or variables such as CONSENTRY_HUB_DATA_DIR in their place:
  --data-dir FOLDER       where its data is
  --listen ADDRESS:PORT   where agents connect; without it, ${USUAL}; port 0: any free
  --database URL          a PostgreSQL instead of a file in that folder: postgres://USER@HOST/NAME
  --nats URL              how hubs on one database wake each other; without it, over the database
  --public-url URL        as people and agents reach it, with https://; beyond 127.0.0.1 it is needed
  --tls-cert FILE         its certificate and those above it, PEM, with
  --tls-key FILE          the private key; or else
  --proxy ADDRESS,…       who encrypts for it: nobody else may connect
  --help                  prints this`;

const FLAGS = [
  "data-dir",
  "listen",
  "database",
  "nats",
  "public-url",
  "tls-cert",
  "tls-key",
  "proxy",
] as const;
type Values = Partial<Record<(typeof FLAGS)[number], string>>;

/** Flags count before variables. @throws HubFlagError */
export function readHubFlags(argv: readonly string[], env: NodeJS.ProcessEnv): HubFlags {
  const values = { ...inEnvironment(env), ...parse(argv) };
  const dataDir = values["data-dir"];
  if (dataDir === undefined || dataDir === "") {
    throw flagError("data_dir_missing", "--data-dir names the folder the hub keeps all in");
  }
  const { host, port } = listenIn(values.listen ?? USUAL);
  const proxies = values.proxy?.split(",") ?? [];
  if (proxies.some((each) => isIP(each) === 0)) throw bad("--proxy takes addresses");
  const tls = tlsIn(values);
  const publicUrl = publicUrlIn(values["public-url"]);
  if (!isLoopbackAddress(host) && (publicUrl === undefined || (!tls && proxies.length === 0))) {
    throw flagError(
      "host_refused",
      `beyond 127.0.0.1 it needs --public-url, and --tls-cert and --tls-key or --proxy: tokens pass it`,
    );
  }
  const { database } = values;
  return { host, port, dataDir, database, nats: natsIn(values), publicUrl, tls, proxies };
}

const bad = (message: string) => flagError("bad_flag", message);

function inEnvironment(env: NodeJS.ProcessEnv): Values {
  const named = FLAGS.map((flag) => [
    flag,
    env[`CONSENTRY_HUB_${flag.toUpperCase().replaceAll("-", "_")}`],
  ]);
  return Object.fromEntries(named.filter(([, value]) => value !== undefined));
}

function parse(argv: readonly string[]): Values {
  try {
    return parseArgs({
      args: [...argv],
      strict: true,
      allowPositionals: false,
      options: Object.fromEntries(FLAGS.map((flag) => [flag, { type: "string" }])),
    }).values as Values;
  } catch (error) {
    const said = error instanceof Error ? error.message : "unreadable flags";
    throw bad(`${said}\n${HUB_USAGE}`);
  }
}

function listenIn(text: string) {
  const [, name, port] = /^(.+):(\d{1,5})$/.exec(text) ?? [];
  const host = name?.replace(/^\[(.*)\]$/, "$1") ?? "";
  if (isIP(host) === 0 || Number(port) > 65_535) {
    throw flagError("listen_malformed", `--listen takes an address such as ${USUAL}`);
  }
  return { host, port: Number(port) };
}

function tlsIn({ "tls-cert": cert, "tls-key": key }: Values): HubFlags["tls"] {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) throw bad("--tls-cert and --tls-key go together");
  try {
    return { cert: readFileSync(cert), key: readFileSync(key) };
  } catch {
    throw bad("--tls-cert or --tls-key cannot be read");
  }
}

function publicUrlIn(text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain = url?.href === `${url?.origin}/` && url.protocol === "https:";
  if (url === undefined || !isPlain)
    throw bad("--public-url takes https://HOST or https://HOST:PORT");
  return url.origin;
}

function natsIn({ nats, database }: Values): URL | undefined {
  if (nats === undefined) return undefined;
  if (database === undefined || !/^(nats|tls):\/\/[^/]/.test(nats)) {
    throw bad("--nats takes nats://HOST:PORT, and needs --database");
  }
  return new URL(nats);
}
