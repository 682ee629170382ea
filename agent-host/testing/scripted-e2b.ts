import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** One message of a Connect stream: a flag byte, the length, JSON. */
function framed(message: object, flags = 0): Buffer {
  const json = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(5);
  head.writeUInt8(flags, 0);
  head.writeUInt32BE(json.length, 1);
  return Buffer.concat([head, json]);
}

const END_OF_STREAM = 2;

interface CommandAnswer {
  readonly stdout: string;
  readonly stderr: string;
  /** Null: the command goes on. */
  readonly exitCode: number | null;
}

/**
 * As much of E2B's API as its own client needs to create a sandbox, run a command and remove it.
 */
export async function scriptedE2b(answer: CommandAnswer) {
  const alive = new Set<string>();
  const commands: string[] = [];
  const keys: unknown[] = [];

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    const body = Buffer.concat(parts);
    const path = (request.url ?? "").replace(/^\/v2/, "");
    const [, kind, id = "", action] = path.split(/[/?]/);
    if (kind === "process.Process") return runIn(response, body);
    keys.push(request.headers["x-api-key"]);
    const reply = (status: number, value?: object): void => {
      response.writeHead(status, { "content-type": "application/json" });
      response.end(value === undefined ? undefined : JSON.stringify(value));
    };
    if (request.method === "POST" && id === "") {
      const made = randomUUID();
      alive.add(made);
      return reply(201, described(made));
    }
    if (!alive.has(id)) return reply(404, { code: 404, message: "not found" });
    if (request.method === "DELETE") {
      alive.delete(id);
      return reply(204);
    }
    reply(action === "connect" || action === "timeout" ? 200 : 404, described(id));
  }

  function runIn(response: ServerResponse, body: Buffer): void {
    const { process } = JSON.parse(body.subarray(5).toString("utf8"));
    commands.push(process.args.at(-1));
    const data = (text: string) => Buffer.from(text).toString("base64");
    response.writeHead(200, { "content-type": "application/connect+json" });
    response.write(framed({ event: { start: { pid: 1 } } }));
    response.write(framed({ event: { data: { stdout: data(answer.stdout) } } }));
    response.write(framed({ event: { data: { stderr: data(answer.stderr) } } }));
    const { exitCode } = answer;
    if (exitCode === null) return;
    const status = `exit status ${exitCode}`;
    response.write(framed({ event: { end: { exitCode, exited: true, status } } }));
    response.end(framed({}, END_OF_STREAM));
  }

  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    connection: { apiKey: "e2b_test", apiUrl: url, sandboxUrl: url },
    commands,
    keys,
    alive,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

const described = (sandboxID: string): object => ({
  sandboxID,
  templateID: "base",
  clientID: "c",
  envdVersion: "0.4.0",
  envdAccessToken: "t",
});
