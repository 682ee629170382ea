import { randomBytes } from "node:crypto";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { createConnection } from "node:net";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LIMITS } from "../../../app/contract/limits.ts";
import { eventually } from "../../client/testing/eventually.ts";
import { LaunchedClient } from "../../client/testing/launched-client.ts";
import { LocalAgent } from "../mcp/testing/local-agent.ts";
import { newClient } from "../mcp/testing/stdio-client.ts";
import { requestLocally } from "./local-request.ts";
import { LOCAL_SOCKET, socketAddress } from "./socket-address.ts";

let client: LaunchedClient;
beforeEach(async () => {
  client = await LaunchedClient.start();
});
afterEach(() => client.end());

const onLinux = process.platform === "linux";
const NOTIFY = ["notification:send"] as const;
const hello = (agent: LocalAgent) => agent.call("send_notification", { title: "Hello" });
const pairings = async () => (await client.snapshot()).pairings;
const refuse = async () => {
  const [waiting] = await pairings();
  const pairing_id = waiting?.pairing_id ?? "";
  await client.call("pairing.answer", { pairing_id, accept: false, granted_scopes: [] });
};

describe("first contact", () => {
  it("asks the person once, with a code, and gives exactly what they tick", async () => {
    const agent = new LocalAgent(client, "Editor");
    expect(await agent.connect()).toBe("waiting");
    const again = new LocalAgent(client, "Editor", agent.token);
    expect(await again.connect()).toBe("waiting");
    expect(await pairings()).toMatchObject([
      {
        name: "Editor",
        code: agent.code,
        local: { asks: "connect", agent_id: null, delivery: "local", shows_code: true },
      },
    ]);
    await expect(hello(agent)).rejects.toMatchObject({ code: "not_paired" });
    await client.acceptPairing(agent.code ?? "", NOTIFY);
    await Promise.all([agent.stands("paired"), again.stands("paired")]);
    expect(await hello(agent)).toMatchObject({ kind: "ok" });
    expect(await agent.call("write_clipboard", { text: "x" })).toMatchObject({
      kind: "refused",
      reason: "scope_not_granted",
    });
    expect((await client.snapshot()).agents).toMatchObject([{ name: "Editor", online: true }]);
  });

  it("shows each permission with its level, and only what was offered can be given", async () => {
    const agent = new LocalAgent(client);
    await agent.connect();
    const [asked] = await pairings();
    const levels = new Map(asked?.scopes.map(({ id, sensitivity }) => [id, sensitivity]));
    expect(levels.get("shell:exec")).toBe("high");
    const answer = { pairing_id: asked?.pairing_id ?? "", accept: true };
    const bad = client.call("pairing.answer", { ...answer, granted_scopes: ["mail:send"] });
    await expect(bad).rejects.toThrow("not_offered");
  });

  it("a refusal holds while the program runs, and the same program is not shown again", async () => {
    const agent = new LocalAgent(client);
    await agent.connect();
    await refuse();
    await agent.stands("refused");
    const again = new LocalAgent(client, "Other name", agent.token);
    expect(await again.connect()).toBe("refused");
    expect(await pairings()).toEqual([]);
  });

  it("three at most wait, each for five minutes", async () => {
    const waiting = await Promise.all(
      [1, 2, 3].map(async (number) => {
        const agent = new LocalAgent(client, `Agent ${number}`);
        await agent.connect();
        return agent;
      }),
    );
    const fourth = new LocalAgent(client);
    expect(await fourth.connect()).toBe("not_asked");
    client.time.jump(LIMITS.pairingLifeMs);
    await Promise.all(waiting.map((agent) => agent.stands("not_asked")));
    await fourth.call("request_permission").catch(() => {});
    await fourth.stands("waiting");
  });

  it.each([
    ["accept", true],
    ["refuse", false],
  ])("of two answers at the same time the first counts: accept, %s", async (_, second) => {
    const agent = new LocalAgent(client);
    await agent.connect();
    const [asked] = await pairings();
    const answer = (accept: boolean) =>
      client.call("pairing.answer", {
        pairing_id: asked?.pairing_id ?? "",
        accept,
        granted_scopes: [],
      });
    const answers = await Promise.allSettled([answer(true), answer(second)]);
    expect(answers.map(({ status }) => status)).toEqual(["fulfilled", "rejected"]);
    expect((await client.snapshot()).agents).toHaveLength(1);
    await agent.stands("paired");
  });

  it("a name without visible characters is replaced", async () => {
    await new LocalAgent(client, "\u200b\u200d").connect();
    expect(await pairings()).toMatchObject([{ name: "MCP client" }]);
  });
});

describe("a token", () => {
  it("holds across restarts of the program, and leads nowhere once its agent is removed", async () => {
    const agent = new LocalAgent(client);
    const agent_id = await agent.paired(NOTIFY);
    await client.restart();
    expect(await agent.connect()).toBe("paired");
    await client.call("agents.remove", { agent_id });
    await agent.stands("not_asked");
    await expect(hello(agent)).rejects.toMatchObject({ code: "not_paired" });
    expect(await agent.connect()).toBe("waiting");
  });

  it("is kept by nobody but its client: the data folder has its digest", async () => {
    const agent = new LocalAgent(client);
    await agent.paired(NOTIFY);
    await client.close();
    for (const name of readdirSync(client.dataDir)) {
      const path = join(client.dataDir, name);
      if (statSync(path).isFile()) expect(readFileSync(path).includes(agent.token)).toBe(false);
    }
  });

  it.runIf(onLinux)("is in a private file of the client's own", async () => {
    const config = join(client.dataDir, "..", "clients");
    const mcp = await newClient({ dataDir: client.dataDir, config });
    await mcp.listTools();
    const folder = join(config, "consentry-clients");
    const [file = ""] = readdirSync(folder);
    expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    await mcp.close();
  });
});

describe.runIf(onLinux)("the program behind the socket", () => {
  const place = () => ({
    dataDir: client.dataDir,
    config: join(client.dataDir, "..", "clients"),
  });

  it("is named by the system: executable, process, folder and what started it", async () => {
    const agent = new LocalAgent(client);
    await agent.connect();
    const [asked] = await pairings();
    expect(asked?.local?.program).toMatchObject({
      pid: process.pid,
      executable: process.execPath,
      folder: process.cwd(),
    });
    expect(asked?.local?.program?.parents[0]).toMatchObject({ pid: process.ppid });
  });

  const otherNode = (): string => {
    const copied = join(dirname(client.dataDir), "other", "node");
    mkdirSync(dirname(copied));
    copyFileSync(process.execPath, copied);
    return copied;
  };

  it("another one that asks with the same token before the answer becomes the same agent", async () => {
    const first = await newClient(place());
    await first.listTools();
    const second = await newClient({ ...place(), program: otherNode() });
    await second.listTools();
    const asked = await pairings();
    expect(asked).toMatchObject([{ local: { asks: "connect" } }, { local: { asks: "connect" } }]);
    const [one, other] = asked;
    await client.acceptPairing(one?.code ?? "", NOTIFY);
    // Its card says now what accepting it means: there is nothing left to tick.
    expect(await pairings()).toMatchObject([
      { code: other?.code, scopes: [], local: { asks: "other_program" } },
    ]);
    await client.acceptPairing(other?.code ?? "", []);
    for (const mcp of [first, second]) {
      await eventually(async () => ((await mcp.listTools()).tools.length > 1 ? true : undefined));
      await mcp.close();
    }
    expect((await client.snapshot()).agents).toHaveLength(1);
  });

  it("another one with a copy of the token is shown to the person before anything runs", async () => {
    const first = await newClient(place());
    await first.listTools();
    await client.acceptPairing((await pairings())[0]?.code ?? "", NOTIFY);
    await eventually(async () => ((await first.listTools()).tools.length > 1 ? true : undefined));
    await first.close();

    const copied = otherNode();
    const thief = await newClient({ ...place(), program: copied });
    expect((await thief.listTools()).tools.map(({ name }) => name)).toEqual(["request_permission"]);
    expect(await pairings()).toMatchObject([
      { local: { asks: "other_program", program: { executable: copied } }, scopes: [] },
    ]);
    const result = await thief.callTool({ name: "send_notification", arguments: { title: "x" } });
    expect(result).toMatchObject({ isError: true });
    expect(client.platform.shown).toEqual([]);
    await client.acceptPairing((await pairings())[0]?.code ?? "", []);
    await eventually(async () => ((await thief.listTools()).tools.length > 1 ? true : undefined));
    expect((await client.snapshot()).agents).toHaveLength(1);
    await thief.close();
  });

  /** The status of each request that one program writes on one connection. */
  const statuses = (...requests: readonly (readonly string[])[]): Promise<readonly string[]> =>
    new Promise((resolve) => {
      const socket = createConnection(socketAddress(client.dataDir, LOCAL_SOCKET));
      let heard = "";
      socket.on("data", (chunk) => {
        heard += chunk;
      });
      socket.once("close", () => {
        resolve([...heard.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status = ""]) => status));
      });
      for (const lines of requests) socket.write(`${lines.join("\r\n")}\r\nHost: c\r\n\r\n`);
    });

  it.each([
    ["hides its own", ["GET /process HTTP/1.1"], "1"],
    ["names another", ["GET /process HTTP/1.1"], String(process.ppid)],
    ["proves nothing", ["GET /else HTTP/1.1"], String(process.pid)],
  ])("that %s process is not heard, and the person is not asked", async (_, first, pid) => {
    const token = randomBytes(32).toString("base64url");
    const who = [`Authorization: Bearer ${token}`, `Consentry-Process: ${pid}`];
    const access = ["POST /access HTTP/1.1", ...who, "Connection: close"];
    expect((await statuses(first, access)).at(-1)).toBe("403");
    const pipe = ["GET /mcp HTTP/1.1", ...who, "Connection: Upgrade", "Upgrade: consentry"];
    expect((await statuses(first, pipe)).at(-1)).toBe("403");
    expect(await pairings()).toEqual([]);
  });

  it("proves itself for one request only", async () => {
    const token = randomBytes(32).toString("base64url");
    const address = socketAddress(client.dataDir, LOCAL_SOCKET);
    const { status, socket } = await requestLocally(address, { path: "/access", token });
    expect(status).toBe(102);
    await client.acceptPairing((await pairings())[0]?.code ?? "", []);
    const rest = await text(socket.resume());
    expect(rest).toContain('"standing":"paired"');
    expect(socket.destroyed).toBe(true);
  });

  it("is not reached by another account: the socket and its folder are private", () => {
    expect(statSync(socketAddress(client.dataDir, LOCAL_SOCKET)).mode & 0o777).toBe(0o600);
    expect(statSync(client.dataDir).mode & 0o777).toBe(0o700);
  });
});

describe("what is no request", () => {
  it.each([
    ["no HTTP", "hello\n\n"],
    ["no proof and no token", "GET /mcp HTTP/1.1\r\nHost: c\r\nConnection: close\r\n\r\n"],
    [
      "a pipe to somewhere else",
      "GET / HTTP/1.1\r\nHost: c\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
    ],
  ])("%s ends the connection, and the others go on", async (_what, said) => {
    const agent = new LocalAgent(client);
    await agent.paired(NOTIFY);
    const socket = createConnection(socketAddress(client.dataDir, LOCAL_SOCKET));
    const closed = new Promise((resolve) => socket.once("close", resolve));
    socket.on("error", () => {});
    socket.resume().write(said);
    await closed;
    expect(await hello(agent)).toMatchObject({ kind: "ok" });
  });
});
