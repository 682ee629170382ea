import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { freePort } from "./free-port.ts";

/** A NATS of a test's own, which may be killed and started again. */
export interface OwnNats {
  readonly url: string;
  start(): Promise<void>;
  kill(): Promise<void>;
}

/**
 * `nats-server` if it is installed, else a way to a NATS, which can be cut.
 * @param given one that runs
 * @returns undefined: neither
 */
export async function startOwnNats(given: URL | null): Promise<OwnNats | undefined> {
  const port = await freePort();
  const isInstalled = spawnSync("nats-server", ["--version"]).status === 0;
  if (!isInstalled && given === null) return undefined;
  const nats = given === null || isInstalled ? new NatsProcess(port) : new Way(port, given);
  await nats.start();
  return nats;
}

class NatsProcess implements OwnNats {
  readonly #port: number;
  #child: ChildProcess | undefined;

  constructor(port: number) {
    this.#port = port;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<void> {
    const child = spawn("nats-server", ["-a", "127.0.0.1", "-p", String(this.#port)], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.#child = child;
    for await (const line of createInterface(child.stderr)) {
      if (line.includes("Server is ready")) break;
    }
    child.stderr.resume();
  }

  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null) return;
    const exit = once(child, "exit");
    child.kill("SIGKILL");
    await exit;
  }
}

class Way implements OwnNats {
  readonly #port: number;
  readonly #target: URL;
  readonly #open = new Set<Socket>();
  #server: Server | undefined;

  constructor(port: number, target: URL) {
    this.#port = port;
    this.#target = target;
  }

  get url(): string {
    return `nats://127.0.0.1:${this.#port}`;
  }

  async start(): Promise<void> {
    this.#server = createServer((socket) => {
      const there = connect(Number(this.#target.port || 4222), this.#target.hostname);
      for (const end of [socket, there]) {
        this.#open.add(end);
        end.on("error", () => end.destroy());
        end.on("close", () => {
          this.#open.delete(end);
          (end === socket ? there : socket).destroy();
        });
      }
      socket.pipe(there).pipe(socket);
    });
    await once(this.#server.listen(this.#port, "127.0.0.1"), "listening");
  }

  async kill(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    if (server === undefined) return;
    const closed = once(server, "close");
    server.close();
    for (const socket of this.#open) socket.destroy();
    await closed;
  }
}
