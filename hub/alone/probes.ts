import { timingSafeEqual } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Counter, collectDefaultMetrics, Gauge, Registry } from "prom-client";
import { isLoopbackAddress } from "../../runtime/net/addresses.ts";
import type { HubEvent, HubServer } from "../hub-options.ts";
import { hashToken } from "../tokens/access-token.ts";

/** What an orchestrator and Prometheus ask of a node. */
export class Probes {
  readonly #registry = new Registry();
  readonly #events = new Counter({
    name: "consentry_hub_events_total",
    help: "What happened, by kind.",
    labelNames: ["event"],
    registers: [this.#registry],
  });
  readonly #metricsToken: string | undefined;
  #hub: Pick<HubServer, "isReady" | "connections"> | undefined;

  /** @param metricsToken who has it may read the metrics from another computer */
  constructor(metricsToken: string | undefined) {
    this.#metricsToken = metricsToken;
    collectDefaultMetrics({ register: this.#registry });
    const hub = () => this.#hub;
    new Gauge({
      name: "consentry_hub_connections",
      help: "Subjects that are connected to this node.",
      registers: [this.#registry],
      collect() {
        this.set(hub()?.connections() ?? 0);
      },
    });
  }

  attach(hub: Pick<HubServer, "isReady" | "connections">): void {
    this.#hub = hub;
  }

  count(event: HubEvent): void {
    this.#events.inc({ event });
  }

  /** Answers, whatever the request's Host is, if it is one of these paths. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    switch (request.method === "GET" ? request.url : undefined) {
      case "/healthz":
        reply(response, 200, "ok\n");
        return true;
      case "/readyz":
        this.#ready(response).catch(() => reply(response, 503, "not ready\n"));
        return true;
      case "/metrics":
        this.#metrics(request, response).catch(() => reply(response, 500, "failed\n"));
        return true;
      default:
        return false;
    }
  }

  async #ready(response: ServerResponse): Promise<void> {
    const isReady = (await this.#hub?.isReady()) ?? false;
    reply(response, isReady ? 200 : 503, isReady ? "ok\n" : "not ready\n");
  }

  async #metrics(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (!this.#mayRead(request)) return reply(response, 403, "forbidden\n");
    reply(response, 200, await this.#registry.metrics(), this.#registry.contentType);
  }

  /** A proxy on this computer asks for others, and says for whom. */
  #mayRead({ socket, headers }: IncomingMessage): boolean {
    const isHere = isLoopbackAddress((socket.remoteAddress ?? "").replace(/^::ffff:/, ""));
    if (isHere && headers["x-forwarded-for"] === undefined) return true;
    const given = /^Bearer (\S+)$/.exec(headers.authorization ?? "")?.[1];
    const wanted = this.#metricsToken;
    return (
      given !== undefined &&
      wanted !== undefined &&
      timingSafeEqual(hashToken(given), hashToken(wanted))
    );
  }
}

function reply(response: ServerResponse, status: number, text: string, type = "text/plain"): void {
  response.writeHead(status, { "Content-Type": type, "Cache-Control": "no-store" }).end(text);
}
