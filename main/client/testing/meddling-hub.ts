import { randomUUID } from "node:crypto";
import {
  request as ask,
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { WebSocket, WebSocketServer } from "ws";
import type { JsonObject } from "../../../app/contract/json.ts";

export type Frame = JsonObject;
/** What is relayed instead of a frame: the same one, none, a different one or several. */
type Meddling = (frame: Frame) => readonly Frame[];
/** What is relayed instead of a body. `way` is the method, a space and the path. */
type BodyMeddling = (way: string, body: JsonObject) => JsonObject | Promise<JsonObject>;

const asItCame: Meddling = (frame) => [frame];
const asItStood: BodyMeddling = (_, body) => body;

/** A lying proxy in front of the real hub; agents get its address. */
export class MeddlingHub {
  /** From agents. */
  up = asItCame;
  /** To agents. */
  down = asItCame;
  asked = asItStood;
  answered = asItStood;
  readonly #server: Server;
  readonly #sockets: WebSocketServer;
  /** The latest connections to the real hub and to the agent, by agent. */
  readonly #lines = new Map<string, { readonly hub: WebSocket; readonly agent: WebSocket }>();
  readonly #hub: URL;

  private constructor(hubUrl: string) {
    this.#hub = new URL(hubUrl);
    this.#server = createServer((request, response) => void this.#pass(request, response));
    this.#sockets = new WebSocketServer({ server: this.#server });
    this.#sockets.on("connection", (agent, { url = "" }) => this.#join(agent, url));
  }

  static async before(hubUrl: string): Promise<MeddlingHub> {
    const hub = new MeddlingHub(hubUrl);
    await new Promise<void>((resolve) => hub.#server.listen(0, "127.0.0.1", resolve));
    return hub;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  honest(): void {
    this.up = asItCame;
    this.down = asItCame;
    this.asked = asItStood;
    this.answered = asItStood;
  }

  /** A message that the agent did not send, under a number of its own. */
  inject(agentId: string, message: Frame): void {
    const frame = { ...message, client_message_id: randomUUID() };
    this.#lines.get(agentId)?.hub.send(JSON.stringify(frame));
  }

  /** A frame to the agent that the real hub did not send. */
  deliver(agentId: string, frame: Frame): void {
    this.#lines.get(agentId)?.agent.send(JSON.stringify(frame));
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #join(agent: WebSocket, path: string): void {
    const line = new WebSocket(new URL(path, this.#hub.href.replace("http", "ws")));
    const waiting: string[] = [];
    line.on("open", () => {
      for (const text of waiting.splice(0)) line.send(text);
    });
    agent.on("message", (data) => {
      const frame: Frame = JSON.parse(String(data));
      const { type, agent_id } = frame;
      if (type === "auth" && typeof agent_id === "string")
        this.#lines.set(agent_id, { hub: line, agent });
      const texts = this.up(frame).map((each) => JSON.stringify(each));
      if (line.readyState !== WebSocket.OPEN) waiting.push(...texts);
      else for (const text of texts) line.send(text);
    });
    line.on("message", (data) => {
      for (const each of this.down(JSON.parse(String(data)))) agent.send(JSON.stringify(each));
    });
    for (const [one, other] of [
      [agent, line],
      [line, agent],
    ] as const) {
      one.on("error", () => undefined);
      one.on("close", () => other.terminate());
    }
  }

  async #pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "", headers } = request;
    const way = `${method} ${url}`;
    const body = await meddled(await buffer(request), (json) => this.asked(way, json));
    const changed = { host: this.#hub.host, "content-length": String(body.length) };
    const onward = ask(new URL(url, this.#hub), { method, headers: { ...headers, ...changed } });
    onward.on("error", () => response.destroy());
    response.on("close", () => onward.destroy());
    onward.on("response", async (answer) => {
      const text = await meddled(await buffer(answer), (json) => this.answered(way, json));
      response.writeHead(answer.statusCode ?? 500, { "content-type": "application/json" });
      response.end(text);
    });
    onward.end(body);
  }
}

async function meddled(
  body: Buffer,
  change: (json: JsonObject) => JsonObject | Promise<JsonObject>,
): Promise<Buffer> {
  if (body.length === 0) return body;
  return Buffer.from(JSON.stringify(await change(JSON.parse(body.toString()))));
}
