import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { WebSocket } from "ws";
import { test as commandTest } from "./support/command-fixtures.ts";
import { expect, test } from "./support/fixtures.ts";
import { MANIFEST } from "./support/manifest.ts";

async function takenPort(): Promise<{ server: Server; port: number }> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return { server, port: address.port };
}

commandTest.describe("a start that cannot be", () => {
  commandTest("says which flag it cannot read, and ends with 2", async ({ commands }) => {
    for (const flags of [["--prot", "80"], ["--port", "99999"], ["--lang", "tlh"], ["stray"]]) {
      const command = commands.start(flags);
      expect(await command.exited, flags.join(" ")).toBe(2);
      expect(command.stderrLines).toHaveLength(2);
      expect(command.stderrLines[1]).toContain(flags[0]);
      expect(command.stdout).toBe("");
    }
  });

  commandTest("names a data folder that cannot be used", async ({ commands }) => {
    mkdirSync(commands.folder, { recursive: true });
    const file = join(commands.folder, "a-file");
    writeFileSync(file, "");
    const below = join(file, "data");
    const command = commands.start(["--data-dir", below]);
    expect(await command.exited).toBe(1);
    expect(command.stderrLines.slice(1)).toEqual([
      `Consentry could not start (store_unwritable): The data folder cannot be used: ${below}`,
    ]);
  });

  for (const flag of ["--port", "--hub-port"]) {
    commandTest(`names the port of ${flag} that is taken`, async ({ commands }) => {
      const { server, port } = await takenPort();
      const command = commands.start([flag, String(port)]);
      expect(await command.exited).toBe(1);
      const [line, ...more] = command.stderrLines.slice(1);
      expect(line).toContain("(port_in_use)");
      expect(line).toContain(String(port));
      expect(more).toEqual([]);
      expect(command.stdout).toBe("");
      await new Promise((resolve) => server.close(resolve));
      // Nothing of the failed start is left in the way of the next.
      expect(await commands.start([flag, String(port)]).ready()).toMatchObject({ event: "ready" });
    });
  }

  commandTest("is none over a damaged database: it is set aside", async ({ commands, page }) => {
    const first = commands.start();
    await first.ready();
    await first.end();
    writeFileSync(join(commands.dataDir, "consentry.db"), "not a database ".repeat(2_000));
    const command = commands.start(["--lang", "en"]);
    const { ui } = await command.ready();
    expect(command.stderr).toContain("The database was damaged and has been set aside");
    const moved = readdirSync(commands.dataDir).filter((name) => /^consentry.*damaged/.test(name));
    expect(moved).toHaveLength(1);
    expect(readFileSync(join(commands.dataDir, moved[0] ?? ""), "utf8")).toContain(
      "not a database",
    );
    await page.goto(ui);
    await expect(page.locator('[data-code="database_set_aside"]')).toBeVisible();
  });
});

test.describe("a running program", () => {
  test.skip(({ host }) => host !== "browser", "the hub is the same whichever the host");

  /** What the hub says on one line, and how the line ended. */
  function lineTo(url: string, headers: Record<string, string> = {}) {
    const socket = new WebSocket(url, { headers });
    const heard: { type: string; reason?: string; error?: { code: string } }[] = [];
    socket.on("message", (text) => heard.push(JSON.parse(String(text))));
    socket.on("error", () => {});
    const opened = new Promise<void>((resolve) => socket.once("open", () => resolve()));
    const closed = new Promise<number>((resolve) => socket.once("close", resolve));
    return { socket, heard, opened, closed };
  }

  test("answers junk from agents in codes, and serves the others", async ({ stage }) => {
    const { agent, credentials } = await stage.connectedAgent();
    const { agentId, token } = credentials;
    const { hub } = stage.program.ready;
    const url = `${hub.replace("http", "ws")}/ws/agent?agent_id=${agentId}`;
    const auth = JSON.stringify({ type: "auth", agent_id: agentId, token });

    const stranger = lineTo(url);
    await stranger.opened;
    stranger.socket.send(auth.replace(token, `hsk_${"x".repeat(40)}`));
    expect(await stranger.closed).toBe(4401);
    expect(stranger.heard).toMatchObject([{ type: "auth.error", reason: "invalid_token" }]);

    const blind = lineTo(url);
    await blind.opened;
    blind.socket.send(Buffer.from([0, 255, 254, 1]));
    expect(await blind.closed).toBe(4401);
    expect(blind.heard).toMatchObject([{ type: "auth.error", reason: "malformed_frame" }]);

    const huge = lineTo(url);
    await huge.opened;
    huge.socket.send("x".repeat(10 * 1024 * 1024));
    expect(await huge.closed).toBe(1009);

    expect(await agent.call("send_notification", { title: "still here" })).toEqual({
      result: { shown: true, folded: false },
    });
  });

  test("answers a known agent's junk in codes, and its next call", async ({ stage }) => {
    const { agent, credentials } = await stage.connectedAgent();
    await agent.kill();
    const { agentId, token } = credentials;
    const { hub } = stage.program.ready;
    const line = lineTo(`${hub.replace("http", "ws")}/ws/agent?agent_id=${agentId}`);
    await line.opened;
    line.socket.send(JSON.stringify({ type: "auth", agent_id: agentId, token }));
    line.socket.send('{"type":"make.coffee"}');
    line.socket.send("{{{");
    line.socket.send(Buffer.from([1, 2, 3]));
    await expect
      .poll(() => line.heard.flatMap(({ error }) => error?.code ?? []))
      .toEqual(["unknown_frame", "malformed_frame", "malformed_frame"]);
    line.socket.terminate();
    const again = stage.newAgent();
    await again.init(credentials, MANIFEST);
    expect(await again.call("send_notification", { title: "after" })).toEqual({
      result: { shown: true, folded: false },
    });
  });

  test("refuses a manifest and a pairing that are none, with what is wrong", async ({ stage }) => {
    const { credentials } = await stage.connectedAgent();
    const { hub } = stage.program.ready;
    const ask = async (method: string, path: string, body: string, token: string) => {
      const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
      const response = await fetch(`${hub}${path}`, { method, headers, body });
      const { error } = (await response.json()) as { error: { code: string } };
      return [response.status, error.code];
    };
    const path = `/agents/${credentials.agentId}`;
    const { token } = credentials;
    expect(await ask("PATCH", path, "{}", `hsk_${"x".repeat(40)}`)).toEqual([
      401,
      "UNAUTHENTICATED",
    ]);
    expect(await ask("PATCH", path, "{}", token)).toEqual([422, "MANIFEST_INVALID"]);
    expect(await ask("PATCH", path, "\u0000", token)).toEqual([422, "MANIFEST_INVALID"]);
    const large = JSON.stringify({ padding: "x".repeat(131_072) });
    expect(await ask("PATCH", path, large, token)).toEqual([413, "MANIFEST_TOO_LARGE"]);
    expect(await ask("POST", "/nowhere", "{}", token)).toEqual([404, "NOT_FOUND"]);
  });

  test("shows who opens a page with a used key that it has lost it", async ({ stage, page }) => {
    const { ui } = stage.program.ready;
    await page.goto(ui);
    await expect(page.getByText("This link no longer works").first()).toBeVisible();
    await expect(page.getByTestId("nav-home")).toHaveCount(0);
    await page.goto(ui.replace(/#token=.*/, "#token=never-given-out"));
    await page.reload();
    await expect(page.getByText("This link no longer works").first()).toBeVisible();
    await expect(stage.program.main.getByTestId("nav-home")).toBeVisible();
  });

  test("lets no foreign page at its bridge, nor a foreign name for it", async ({ stage }) => {
    const { origin, host } = new URL(stage.program.ready.ui);
    const bridge = `ws://${host}/bridge`;
    const statusOf = async (headers: Record<string, string>) => {
      const { socket } = lineTo(bridge, headers);
      return await new Promise((resolve) => {
        socket.once("unexpected-response", (_, response) => {
          response.destroy();
          resolve(response.statusCode);
        });
        socket.once("open", () => {
          socket.terminate();
          resolve(101);
        });
      });
    };
    expect(await statusOf({ origin })).toBe(101);
    expect(await statusOf({ origin: "https://evil.example" })).toBe(403);
    expect(await statusOf({ origin: "null" })).toBe(403);
    expect(await statusOf({})).toBe(403);
    expect(await statusOf({ origin: "http://evil.example", host: "evil.example" })).toBe(421);
  });
});
