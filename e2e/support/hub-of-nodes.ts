import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { testNats } from "../../hub/testing/test-nats.ts";
import { dropTestDatabases, hasPostgres, testDatabase } from "../../hub/testing/test-postgres.ts";
import { testCertificate } from "../../runtime/net/testing/test-certificate.ts";
import { OtherHub } from "./other-hub.ts";

const certificate = testCertificate("localhost");

/** Whether one can be started here: it needs a PostgreSQL, and openssl for its certificate. */
export const hasNodes = hasPostgres && certificate !== null;

/** Nodes behind one address, over TLS. All programs of this computer know the authority of their certificate. */
export class HubOfNodes {
  readonly #folder = mkdtempSync(join(tmpdir(), "consentry-nodes-"));
  readonly #nodes: OtherHub[] = [];
  readonly #front: Server;
  #leadsTo = 0;

  static async start(count: number): Promise<HubOfNodes> {
    const hub = new HubOfNodes();
    await once(hub.#front.listen(0, "127.0.0.1"), "listening");
    const nats = testNats === null ? [] : ["--nats", testNats.href];
    const database = await testDatabase(hub.#folder);
    const tls = ["--tls-cert", hub.#file("cert"), "--tls-key", hub.#file("key")];
    const flags = ["--database", database, ...nats, "--public-url", hub.url, ...tls];
    process.env.NODE_EXTRA_CA_CERTS = hub.#file("authority");
    hub.#nodes.push(...Array.from({ length: count }, () => new OtherHub(...flags)));
    await Promise.all(hub.#nodes.map((node) => node.start()));
    return hub;
  }

  private constructor() {
    this.#front = createServer((socket) => this.#lead(socket));
  }

  get url(): string {
    return `https://localhost:${(this.#front.address() as AddressInfo).port}`;
  }

  node(nth: number): OtherHub {
    const node = this.#nodes[nth];
    if (node === undefined) throw new RangeError("no such node");
    return node;
  }

  /** From now on connections lead to this node, while it runs. */
  leadTo(nth: number): void {
    this.#leadsTo = nth;
  }

  async end(): Promise<void> {
    delete process.env.NODE_EXTRA_CA_CERTS;
    this.#front.close();
    await Promise.all(this.#nodes.map((node) => node.end()));
    await dropTestDatabases();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #lead(socket: Socket): void {
    const living = this.#nodes.filter((node) => node.isRunning);
    const node = living.find((each) => each === this.#nodes[this.#leadsTo]) ?? living[0];
    const onward = connect(node?.port ?? 0, "127.0.0.1");
    for (const end of [socket, onward]) {
      end.on("error", () => undefined);
      end.on("close", () => (end === socket ? onward : socket).destroy());
    }
    socket.pipe(onward).pipe(socket);
  }

  #file(of: "cert" | "key" | "authority"): string {
    const path = join(this.#folder, `${of}.pem`);
    writeFileSync(path, certificate?.[of] ?? "");
    return path;
  }
}
