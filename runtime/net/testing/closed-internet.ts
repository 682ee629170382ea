import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

/** Where the script's name server must listen, and a public address that leads to this computer. */
export const NAME_SERVER = { host: "127.0.0.1", port: 53 } as const;
export const OWN_PUBLIC = "9.9.9.9";

const UNSHARE = ["--user", "--map-root-user", "--net", "--mount", "--", "sh", "-ec"];

/**
 * Every address, public or private, leads to this namespace, and the system's resolver asks only
 * our name server.
 */
const SET_UP = `
  ip link set lo up
  ip address add ${OWN_PUBLIC}/32 dev lo
  ip route add local default dev lo
  ip -6 route add local default dev lo
  mount --bind "$1/resolv.conf" /etc/resolv.conf
  mount --bind "$1/nsswitch.conf" /etc/nsswitch.conf
  shift
  exec "$@"
`;

function inNamespace(folder: string, argv: readonly string[]): readonly string[] {
  writeFileSync(join(folder, "resolv.conf"), `nameserver ${NAME_SERVER.host}\n`);
  writeFileSync(join(folder, "nsswitch.conf"), "hosts: files dns\n");
  return [...UNSHARE, SET_UP, "sh", folder, ...argv];
}

function withFolder<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), "consentry-internet-"));
  const drop = () => rmSync(folder, { recursive: true, force: true });
  const used = use(folder);
  if (used instanceof Promise) void used.then(drop, drop);
  else drop();
  return used;
}

/**
 * Whether this machine can provide a closed internet (Linux with unshare and ip, where user
 * namespaces are allowed): a program in it can connect to any address, but reaches only itself.
 */
export const hasClosedInternet: boolean = withFolder(
  (folder) => spawnSync("unshare", inNamespace(folder, ["true"]), { stdio: "ignore" }).status === 0,
);

/**
 * Runs the script with Node in there. Both its input and its result are JSON, on standard input and
 * output. @throws Error
 */
export function inClosedInternet(script: URL, input: unknown): Promise<unknown> {
  return withFolder(async (folder) => {
    const argv = inNamespace(folder, [process.execPath, fileURLToPath(script)]);
    const child = spawn("unshare", argv);
    child.stdin.end(JSON.stringify(input));
    const [found, complaints, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, "close"),
    ]);
    if (code !== 0) throw new Error(`ended with ${code}: ${complaints}`);
    return JSON.parse(found);
  });
}
