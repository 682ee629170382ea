import { readdir, readFile, readlink, stat } from "node:fs/promises";
import type { Socket } from "node:net";

type TcpPeer =
  /** A process of this account. */
  | { readonly kind: "own"; readonly pid: number }
  | { readonly kind: "other_account" }
  /** The system does not say. */
  | { readonly kind: "unknown" };

/** Fields of a line in `/proc/net/tcp` (proc_net(5)). */
const LOCAL = 1;
const REMOTE = 2;
const UID = 7;
const INODE = 9;

/** Who is at the other end of a loopback connection, as Linux lists its sockets. */
export async function tcpPeer({ remotePort = 0, localPort = 0 }: Socket): Promise<TcpPeer> {
  if (process.platform !== "linux") return { kind: "unknown" };
  try {
    // The client's own line: its local end is our remote one.
    const [client, server] = [addressOf(remotePort), addressOf(localPort)];
    const table = await readFile("/proc/net/tcp", "ascii");
    const line = table
      .split("\n")
      .map((each) => each.trim().split(/\s+/))
      .find((fields) => fields[LOCAL] === client && fields[REMOTE] === server);
    if (line === undefined) return { kind: "unknown" };
    if (Number(line[UID]) !== process.geteuid?.()) return { kind: "other_account" };
    const pid = await holderOf(`socket:[${line[INODE]}]`);
    return pid === null ? { kind: "unknown" } : { kind: "own", pid };
  } catch {
    return { kind: "unknown" };
  }
}

const addressOf = (port: number): string =>
  `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")}`;

/** The newest process that has the socket open: one it was passed on to came later. */
async function holderOf(socket: string): Promise<number | null> {
  const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name)).map(Number);
  for (const pid of pids.toSorted((one, other) => other - one)) {
    if (await holds(pid, socket)) return pid;
  }
  return null;
}

/** Of another account's processes nothing is looked at, nor of those that have ended meanwhile. */
async function holds(pid: number, socket: string): Promise<boolean> {
  try {
    if ((await stat(`/proc/${pid}`)).uid !== process.geteuid?.()) return false;
    const folder = `/proc/${pid}/fd`;
    const open = await readdir(folder);
    const links = open.map((name) => readlink(`${folder}/${name}`).catch(() => ""));
    return (await Promise.all(links)).includes(socket);
  } catch {
    return false;
  }
}
