import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { freePort, portOf } from "../../../tests/servers/free-port.ts";
import { type OwnNats, startOwnNats } from "../../../tests/servers/own-nats.ts";
import { testNats } from "../test-nats.ts";
import { dropTestDatabases, onTestDatabase, testDatabase } from "../test-postgres.ts";

const SCRIPT = fileURLToPath(new URL("../../../scripts/hub.ts", import.meta.url));

interface Node {
  readonly folder: string;
  readonly listen: string;
  child: ChildProcess | undefined;
}

/** Several nodes as processes on a database of their own, woken over a NATS of their own where there is one. */
export class Fleet {
  readonly #folder = mkdtempSync(join(tmpdir(), "hub-fleet-"));
  readonly #nodes: Node[] = [];
  #database = "";
  #nats: OwnNats | undefined;
  #balancer: Server | undefined;

  /** @param database of their own; default: a test's */
  static async start(count: number, database?: string): Promise<Fleet> {
    const fleet = new Fleet();
    fleet.#database = database ?? (await testDatabase(fleet.#folder));
    fleet.#nats = await startOwnNats(testNats);
    for (let nth = 0; nth < count; nth += 1) {
      const listen = `127.0.0.1:${await freePort()}`;
      fleet.#nodes.push({ folder: join(fleet.#folder, String(nth)), listen, child: undefined });
    }
    await Promise.all(fleet.#nodes.map((_, nth) => fleet.startNode(nth)));
    return fleet;
  }

  get nats(): OwnNats | undefined {
    return this.#nats;
  }

  get size(): number {
    return this.#nodes.length;
  }

  url(nth: number): string {
    return `http://${this.#node(nth).listen}`;
  }

  /** Those that run. */
  living(): readonly number[] {
    return this.#nodes.flatMap(({ child }, nth) => (child === undefined ? [] : [nth]));
  }

  /** The owner's, from a node that runs. */
  ownerToken(nth: number): string {
    return readFileSync(this.ownerTokenFile(nth), "utf8").trim();
  }

  ownerTokenFile(nth: number): string {
    return join(this.#node(nth).folder, "owner.token");
  }

  async startNode(nth: number): Promise<void> {
    const node = this.#node(nth);
    const nats = this.#nats === undefined ? [] : ["--nats", this.#nats.url];
    const where = ["--listen", node.listen, "--data-dir", node.folder];
    const child = spawn(
      process.execPath,
      [SCRIPT, ...where, "--database", this.#database, ...nats],
      { stdio: ["ignore", "pipe", "ignore"] },
    );
    await Promise.race([
      once(createInterface(child.stdout), "line"),
      once(child, "exit").then(() => Promise.reject(new Error("a node did not start"))),
    ]);
    node.child = child;
  }

  async endNode(nth: number, signal: "SIGKILL" | "SIGTERM"): Promise<void> {
    const node = this.#node(nth);
    const { child } = node;
    node.child = undefined;
    await ended(child, signal);
  }

  /** Ends every connection of the nodes to PostgreSQL. */
  async cutDatabase(): Promise<void> {
    await onTestDatabase(
      this.#database,
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND pid <> pg_backend_pid()`,
    );
  }

  /** One address for all of them: each connection leads to another node. */
  async balance(): Promise<string> {
    let turn = 0;
    const server = createServer((socket) => {
      turn += 1;
      const living = this.living();
      const { listen } = this.#node(living[turn % living.length] ?? 0);
      // A request that is a connection's only one names its host in the first packet.
      socket.once("data", (head) => {
        const named = head.toString("latin1").replace(`127.0.0.1:${port}`, listen);
        const node = connect(Number(listen.split(":")[1]), "127.0.0.1");
        node.write(Buffer.from(named, "latin1"));
        for (const end of [node, socket]) end.on("error", () => end.destroy());
        socket.pipe(node).pipe(socket);
      });
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    this.#balancer = server;
    const port = portOf(server);
    return `http://127.0.0.1:${port}`;
  }

  async end(): Promise<void> {
    this.#balancer?.close();
    await Promise.all(this.#nodes.map((_, nth) => this.endNode(nth, "SIGKILL")));
    await this.#nats?.kill();
    await dropTestDatabases();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #node(nth: number): Node {
    const node = this.#nodes[nth];
    if (node === undefined) throw new RangeError("no such node");
    return node;
  }
}

async function ended(child: ChildProcess | undefined, signal: NodeJS.Signals): Promise<void> {
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, "exit");
  child.kill(signal);
  await exit;
}
