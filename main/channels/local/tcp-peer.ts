import { readlinkSync } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import type { Socket } from "node:net";

type TcpPeer =
  /** A process of this account. */
  | { readonly kind: "own"; readonly pid: number }
  /** Or of an account that cannot be told. */
  | { readonly kind: "other_account" }
  /** The system does not say. */
  | { readonly kind: "unknown" };

/** Fields of a line in `/proc/net/tcp` (proc_net(5)). */
const LOCAL = 1;
const REMOTE = 2;
const UID = 7;
const INODE = 9;

/** What comes before an IPv4 address that an IPv6 socket is connected to. */
const MAPPED = "0000000000000000FFFF0000";

/** Who is at the other end of a connection to 127.0.0.1, as Linux lists its sockets. */
export async function tcpPeer(socket: Socket): Promise<TcpPeer> {
  const { remoteAddress, remotePort = 0, localPort = 0 } = socket;
  // From another loopback address, its line would not be found.
  if (remoteAddress !== "127.0.0.1") return { kind: "other_account" };
  if (process.platform !== "linux") return { kind: "unknown" };
  try {
    // The client's own line: its local end is our remote one.
    const [client, server] = [addressOf(remotePort), addressOf(localPort)];
    const lines = await listed();
    const line = lines.get(`${client} ${server}`);
    if (line === undefined) {
      return { kind: lines.has(`${server} ${client}`) ? "other_account" : "unknown" };
    }
    if (Number(line[UID]) !== process.geteuid?.()) return { kind: "other_account" };
    const pid = await newestHolder(`socket:[${line[INODE]}]`);
    return pid === null ? { kind: "unknown" } : { kind: "own", pid };
  } catch {
    return { kind: "unknown" };
  }
}

const addressOf = (port: number): string =>
  `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")}`;

/** One look serves everybody who asks before it begins. */
function shared<T>(look: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | null = null;
  return () => {
    next ??= last.then(() => {
      next = null;
      return look();
    });
    last = next.catch(() => {});
    return next;
  };
}

/** The fields of each connection's line, by its two ends. The system takes milliseconds to list them. */
const listed = shared(async () => {
  const tables = [
    await readFile("/proc/net/tcp", "ascii"),
    await readFile("/proc/net/tcp6", "ascii").catch(() => ""),
  ];
  const lines = tables.join("\n").replaceAll(MAPPED, "").split("\n");
  const fields = lines.map((line) => line.trim().split(/\s+/));
  return new Map(fields.map((each) => [`${each[LOCAL]} ${each[REMOTE]}`, each]));
});

/** Of each socket, by what its links say: resolves to the process that has it open. */
type Wanted = Map<string, PromiseWithResolvers<number | null>>;

let wanted: Wanted = new Map();
let isWalking = false;

/**
 * The newest process that has the socket open: one it was passed on to came later. Going through all
 * processes takes a while, so one walk looks for all sockets that are asked for before it begins.
 */
function newestHolder(socket: string): Promise<number | null> {
  const found = wanted.get(socket) ?? Promise.withResolvers<number | null>();
  wanted.set(socket, found);
  if (!isWalking) void walkWhileWanted();
  return found.promise;
}

async function walkWhileWanted(): Promise<void> {
  isWalking = true;
  while (wanted.size > 0) {
    const sockets = wanted;
    wanted = new Map();
    await walk(sockets).catch(() => {});
    for (const { resolve } of sockets.values()) resolve(null);
  }
  isWalking = false;
}

async function walk(sockets: Wanted): Promise<void> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  for (const pid of pids.toSorted((one, other) => other - one)) {
    for (const link of await openIn(pid)) {
      sockets.get(link)?.resolve(pid);
      sockets.delete(link);
    }
    if (sockets.size === 0) return;
  }
}

/** Of another account's processes nothing is looked at, nor of those that have ended meanwhile. */
async function openIn(pid: number): Promise<readonly string[]> {
  try {
    if ((await stat(`/proc/${pid}`)).uid !== process.geteuid?.()) return [];
    const folder = `/proc/${pid}/fd`;
    // On this thread: a round trip to another one takes ten times as long as a link.
    return (await readdir(folder)).map((name) => linkOf(`${folder}/${name}`));
  } catch {
    return [];
  }
}

/** Empty: it has been closed meanwhile. */
function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}
