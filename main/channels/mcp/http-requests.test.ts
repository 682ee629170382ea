import { execFile } from "node:child_process";
import { once } from "node:events";
import { copyFileSync } from "node:fs";
import { IncomingMessage, request, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { join } from "node:path";
import type { JSONRPCMessage } from "@modelcontextprotocol/server";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../../client/testing/eventually.ts";
import { LaunchedClient } from "../../client/testing/launched-client.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { HttpSession } from "./http-session.ts";
import { httpAccess } from "./testing/mcp-address.ts";

let client: LaunchedClient;
let token: string;
let url: URL;
beforeEach(async () => {
  client = await LaunchedClient.start();
  ({ token, url } = await httpAccess(client));
});
afterEach(() => client.end());

describe("a request over HTTP", () => {
  const LIST = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} };
  const answered = (headers: Record<string, string>, body: string, localAddress = "127.0.0.1") =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const { hostname, port, pathname: path } = url;
      const to = { hostname, port, path, method: "POST", headers, localAddress };
      const sent = request(to, (response) => {
        response.resume();
        resolve(response);
      });
      sent.on("error", reject);
      sent.end(body);
    });
  const send = async (headers: Record<string, string>, body = JSON.stringify(LIST)) =>
    (await answered(headers, body)).statusCode;
  const right = () => ({
    "Content-Type": "application/json",
    Accept: "application/json, text/event-stream",
    Authorization: `Bearer ${token}`,
  });

  it("needs all three: the Host, no foreign Origin, and an agent's token", async () => {
    expect(await send(right())).toBe(200);
    const host = `localhost:${url.port}`;
    expect(await send({ ...right(), Host: host })).toBe(200);
    for (const foreign of [`rebound.example:${url.port}`, "127.0.0.1", "localhost:1"]) {
      expect(await send({ ...right(), Host: foreign })).toBe(403);
    }
    for (const origin of ["https://evil.example", `http://${host}`, "http://127.0.0.1", "null"]) {
      expect(await send({ ...right(), Origin: origin })).toBe(403);
    }
    expect(await send({ ...right(), Origin: url.origin })).toBe(200);
    const { Authorization: _, ...page } = right();
    expect(await send({ ...page, Origin: url.origin })).toBe(401);
    const { Authorization, ...without } = right();
    expect(await send(without)).toBe(401);
    expect(await send({ ...without, Authorization: `${Authorization}x` })).toBe(401);
    expect(await send({ ...without, Authorization: `Basic ${token}` })).toBe(401);
  });

  it.runIf(process.platform === "linux")(
    "is refused from another loopback address, where nothing tells its account",
    async () => {
      const { statusCode } = await answered(right(), JSON.stringify(LIST), "127.0.0.2");
      expect(statusCode).toBe(403);
      expect((await client.snapshot()).pairings).toEqual([]);
    },
  );

  const inSession = (id = "session-1") => ({ ...right(), "Mcp-Session-Id": id });

  it("is answered with one value, and with a stream where something is said before", async () => {
    const form = async (message: object) =>
      (await answered(inSession(), JSON.stringify(message))).headers["content-type"];
    expect(await form(LIST)).toBe("application/json");
    expect(await form([LIST, { ...LIST, id: 2 }])).toBe("text/event-stream");
  });

  it.each([
    ["*/*"],
    ["Application/JSON, Text/Event-Stream"],
    ["application/*;q=0.5, text/*"],
    ["text/event-stream;q=0.1, */*;q=0.2"],
  ])("takes what its Accept says, as HTTP has it: %s", async (Accept) => {
    expect(await send({ ...right(), Accept })).toBe(200);
    expect(await send({ ...inSession(), Accept })).toBe(200);
    const none = { Accept: `${Accept}, text/event-stream;q=0` };
    if (!/event-stream/i.test(Accept)) {
      expect(await send({ ...right(), ...none })).toBe(406);
      expect(await send({ ...inSession(), ...none })).toBe(406);
    }
  });

  it("is read strictly: no name twice, no half characters, no bytes that are no text", async () => {
    const twice = '{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/list","params":{}}';
    for (const headers of [right(), inSession()]) {
      expect(await send(headers, twice)).toBe(400);
      expect(await send(headers, JSON.stringify({ ...LIST, params: { a: "\ud83d" } }))).toBe(400);
      expect(await send(headers, `${"[".repeat(80)}${"]".repeat(80)}`)).toBe(400);
    }
    const call = '{"text":"one","text":"two"}';
    const params = `{"name":"write_clipboard","arguments":${call}}`;
    await send(inSession(), `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`);
    expect(await client.log()).toMatchObject([{ reason: "malformed_json" }]);
  });

  it("is refused where it breaks the rules of a session", async () => {
    expect(await send({ ...inSession(), Accept: "application/json" })).toBe(406);
    expect(await send({ ...inSession(), "Content-Type": "text/plain" })).toBe(415);
    expect(await send({ ...inSession(), "MCP-Protocol-Version": "1999-01-01" })).toBe(400);
    expect(await send(inSession("no id"))).toBe(404);
    for (const body of ["{", "[]", "{}", JSON.stringify([LIST, LIST])]) {
      expect(await send(inSession(), body), body).toBe(400);
    }
    expect(await send(inSession(), JSON.stringify(new Array(101).fill(LIST)))).toBe(400);
    expect(await send(inSession(), " ".repeat(5_000_000))).toBe(413);
  });

  it("has a number of its own while it has no answer; once it is cancelled nothing is said to it", async () => {
    const params = { name: "write_clipboard", arguments: { text: "x" } };
    const call = JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params });
    const first = answered(inSession(), call);
    await client.waitingCard();
    expect(await send(inSession(), call)).toBe(400);
    const other = answered(inSession("session-2"), call);
    await client.cards(2);
    const cancelled = { jsonrpc: "2.0", method: "notifications/cancelled" };
    expect(
      await send(inSession(), JSON.stringify({ ...cancelled, params: { requestId: 7 } })),
    ).toBe(202);
    expect((await first).headers["content-type"]).toBe("text/event-stream");
    await client.cards(1);
    await client.answer("deny");
    expect((await other).headers["content-type"]).toBe("application/json");
    const reasons = (await client.log()).map(({ reason }) => reason);
    expect(reasons.toSorted()).toEqual(["cancelled", "user_refused"]);
  });

  it.each([
    ["one value", {}],
    ["a stream", { _meta: { progressToken: 1 } }],
  ])("that is closed before its answer, %s, cancels its call", async (_, more) => {
    const params = { name: "write_clipboard", arguments: { text: "x" }, ...more };
    const { hostname, port, pathname: path } = url;
    const sent = request({ hostname, port, path, method: "POST", headers: inSession() });
    sent.on("error", () => {});
    sent.end(JSON.stringify({ jsonrpc: "2.0", id: 7, method: "tools/call", params }));
    await client.waitingCard();
    sent.destroy();
    expect(await client.cards(0)).toEqual([]);
    const line = await eventually(async () => (await client.log())[0]);
    expect(line).toMatchObject({ reason: "cancelled" });
    expect(client.platform.writes).toEqual([]);
  });

  it("whose response is closed before it is read is not begun, and what comes with it is heard", () => {
    const session = new HttpSession("session-1");
    const heard: JSONRPCMessage[] = [];
    session.onmessage = (message) => heard.push(message);
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    response.destroy();
    const told = { jsonrpc: "2.0", method: "notifications/roots/list_changed" } as const;
    expect(session.post([{ ...LIST, jsonrpc: "2.0" }, told], response)).toBe(true);
    expect(heard).toEqual([told]);
    expect(session.isIdle).toBe(true);
  });

  it("whose response is closed before it is read leaves its session's stream to another", () => {
    const session = new HttpSession("session-1");
    const [left, other] = [1, 2].map(() => new ServerResponse(new IncomingMessage(new Socket())));
    left?.destroy();
    expect([left, other].map((each) => each && session.listen(each))).toEqual([true, true]);
    other?.emit("close");
  });

  it("that is no JSON, or no message, is refused", async () => {
    expect(await send(right(), "{")).toBe(400);
    expect(await send(right(), "")).toBe(400);
    expect(await send(right(), "{}")).toBe(400);
  });

  it("with an unknown token shows the person nothing", async () => {
    expect(await send({ ...right(), Authorization: `Bearer ${"A".repeat(43)}` })).toBe(401);
    expect((await client.snapshot()).pairings).toEqual([]);
  });

  it("with the token of an agent that was removed is refused", async () => {
    const [agent] = (await client.snapshot()).agents;
    await client.call("agents.remove", { agent_id: agent?.agent_id ?? "" });
    expect(await send(right())).toBe(401);
  });

  it.runIf(process.platform === "linux")(
    "from another program with a copy of the token is shown to the person, and gets nothing",
    async () => {
      const copied = join(scratchFolder(), "node");
      copyFileSync(process.execPath, copied);
      const script = `fetch(${JSON.stringify(url)}, { method: "POST", headers: ${JSON.stringify(right())},
        body: ${JSON.stringify(JSON.stringify({ ...LIST, method: "tools/call", params: { name: "send_notification", arguments: { title: "x" } } }))} })
        .then((response) => response.text()).then(console.log)`;
      const thief = await run(copied, script);
      expect(thief).toContain("not connected");
      expect((await client.snapshot()).pairings).toMatchObject([
        { local: { asks: "other_program", program: { executable: copied } } },
      ]);
      expect(client.platform.shown).toEqual([]);
    },
  );
});

describe("a stream that an older client opens", () => {
  const opened = (headers: Record<string, string>) =>
    new Promise<IncomingMessage>((resolve, reject) => {
      const accept = { Accept: "text/event-stream", ...headers };
      request(url, { headers: accept }, resolve).on("error", reject).end();
    });
  const ended = (stream: IncomingMessage) => once(stream.on("error", () => {}).resume(), "close");
  const right = (session = "session-1") => ({
    Authorization: `Bearer ${token}`,
    "Mcp-Session-Id": session,
  });
  const online = async () => (await client.snapshot()).agents.map((agent) => agent.online);

  it("needs the token too, and is the only one of its session", async () => {
    const { Authorization: _, ...unknown } = right();
    expect((await opened(unknown)).statusCode).toBe(401);
    expect((await opened({ ...right(), Origin: "https://evil.example" })).statusCode).toBe(403);
    expect((await opened({ ...right(), Accept: "application/json" })).statusCode).toBe(406);
    const stream = await opened(right());
    expect([stream.statusCode, stream.headers["content-type"]]).toEqual([200, "text/event-stream"]);
    expect((await opened(right())).statusCode).toBe(409);
    stream.destroy();
  });

  it("shows that its agent is there, however long it says nothing", async () => {
    const stream = await opened(right());
    client.time.jump(660_000);
    expect(await online()).toEqual([true]);
    stream.destroy();
    await eventually(async () => ((await online())[0] === false ? true : undefined));
  });

  it("ends with its session: on DELETE, as the oldest of more than eight, and when the agent is removed", async () => {
    const streams: IncomingMessage[] = [];
    for (let count = 0; count < 9; count += 1) streams.push(await opened(right(`s-${count}`)));
    const [oldest, deleted, ...others] = streams.map(ended);
    await oldest;
    expect(streams.filter(({ destroyed }) => destroyed)).toHaveLength(1);
    expect((await fetch(url, { method: "DELETE", headers: right("s-1") })).status).toBe(200);
    await deleted;
    expect((await opened(right("s-1"))).statusCode).toBe(404);
    expect(streams.filter(({ destroyed }) => destroyed)).toHaveLength(2);
    const [agent] = (await client.snapshot()).agents;
    await client.call("agents.remove", { agent_id: agent?.agent_id ?? "" });
    await Promise.all(others);
  });
});

/** In another process, while this one goes on answering. */
function run(program: string, script: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, ["--eval", script], (error, stdout) =>
      error === null ? resolve(stdout) : reject(error),
    );
  });
}
