import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterEach, expect, it } from "vitest";
import { runHub } from "../hub/alone/run-hub.ts";
import { InvitedPerson } from "../hub/testing/invited-person.ts";
import { dropTestDatabases, hasPostgres, testDatabase } from "../hub/testing/test-postgres.ts";
import { runPeople } from "../main/client/launch/hub-people.ts";
import { ScratchFolder } from "../main/testing/scratch-folder.ts";

const SCRIPT = fileURLToPath(new URL("./hub.ts", import.meta.url));

const scratch = ScratchFolder.forEachTest();
const started: ChildProcess[] = [];
afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill("SIGKILL");
    await once(child, "exit");
  }
  await dropTestDatabases();
});

function startScript(...argv: readonly string[]) {
  const child = spawn(process.execPath, [SCRIPT, ...argv], { stdio: ["ignore", "pipe", "pipe"] });
  started.push(child);
  return child;
}

async function startReady(dataDir: string, ...flags: readonly string[]) {
  const child = startScript("--listen", "127.0.0.1:0", "--data-dir", dataDir, ...flags);
  const [line] = await once(createInterface(child.stdout), "line");
  const ready = JSON.parse(String(line)) as { hub: string; owner_token_file: string };
  return { child, ready };
}

/** Runs the command in this process, and stops it as soon as it is running. */
async function run(...argv: readonly string[]): Promise<[code: number, stderr: string]> {
  const said: string[] = [];
  const code = await runHub(argv, {
    checkSchema: async () => [],
    stdout: () => undefined,
    stderr: (line) => said.push(line),
    stopped: Promise.resolve(),
  });
  return [code, said.join("\n")];
}

it("runs the hub for its owner until Ctrl-C, and leaves no token behind", async () => {
  const dataDir = join(scratch.base, "new", "data");
  const { child, ready } = await startReady(dataDir);
  expect(await (await fetch(`${ready.hub}/health`)).json()).toEqual({ data: { status: "ok" } });
  for (const name of ["hub.db", "hub.db.lock", "hub.url", "owner.token", "owner.token.lock"]) {
    expect([name, statSync(join(dataDir, name)).mode & 0o777]).toEqual([name, 0o600]);
  }
  expect(statSync(dataDir).mode & 0o777).toBe(0o700);
  expect(readFileSync(join(dataDir, "hub.url"), "utf8").trim()).toBe(ready.hub);
  const token = readFileSync(ready.owner_token_file, "utf8").trim();
  const asOwner = { headers: { authorization: `Bearer ${token}` } };
  expect(await (await fetch(`${ready.hub}/h2a/relations`, asOwner)).json()).toEqual({ data: [] });
  child.kill("SIGINT");
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(["hub.url", "owner.token"].filter((name) => existsSync(join(dataDir, name)))).toEqual([]);
});

it("runs without anybody who reads what it says, until the terminal is closed", async () => {
  const child = startScript("--listen", "127.0.0.1:0", "--data-dir", scratch.base);
  child.stdout.destroy();
  child.stderr.destroy();
  const exited = once(child, "exit");
  const file = join(scratch.base, "hub.url");
  await expect.poll(() => existsSync(file), { timeout: 20_000 }).toBe(true);
  const health = await fetch(`${readFileSync(file, "utf8").trim()}/health`);
  expect(await health.json()).toEqual({ data: { status: "ok" } });
  child.kill("SIGHUP");
  expect(await exited).toEqual([0, null]);
  expect(existsSync(file)).toBe(false);
});

const STORES = [
  ["a file", async () => []],
  ["PostgreSQL", async () => ["--database", await testDatabase(scratch.base)]],
] as const;

it.each(hasPostgres ? STORES : STORES.slice(0, 1))(
  "invites, lists, suspends, restores and removes people of the hub that runs on the folder, with %s",
  async (_, flags) => {
    const { ready } = await startReady(scratch.base, ...(await flags()));
    const people = async (...argv: readonly string[]) => {
      const said: string[] = [];
      const outputs = { stdout: (line: string) => said.push(line), stderr: () => undefined };
      const code = await runPeople([...argv, "--data-dir", scratch.base], outputs);
      return [code, ...said];
    };
    const [code, link = ""] = await people("invite", "Ada");
    const [hub, invitation] = String(link).split("/#");
    expect([code, hub]).toEqual([0, ready.hub]);
    const ada = new InvitedPerson(`${hub}`, "ada");
    expect((await ada.signIn({ invitation })).status).toBe(200);
    const line = (status: string) => `ada\tAda\tmember\t${status}`;
    expect(await people("people")).toEqual([0, line("active")]);
    expect(await people("suspend", "ada")).toEqual([0, line("suspended")]);
    expect((await ada.signIn()).status).toBe(403);
    expect(await people("restore", "ada")).toEqual([0, line("active")]);
    expect(await people("remove", "ada")).toEqual([0, line("suspended")]);
    expect([await people("remove", "ada"), await people("people")]).toEqual([[1], [0]]);
    expect([await people("invite"), await people("people", "--owner")]).toEqual([[2], [2]]);
  },
);

it("checks the schemas of manifests by the client's own rules", async () => {
  const { ready } = await startReady(scratch.base);
  const capability_manifest = {
    schema_version: "1.0",
    agent_version: "1.0.0",
    tools: [
      {
        name: "read_file",
        description_i18n_key: "d",
        permission_scope: "filesystem:read",
        input_schema: { type: "object", properties: { path: { pattern: "(" } } },
      },
    ],
    permission_scopes: [{ id: "filesystem:read", label_i18n_key: "l", sensitivity: "medium" }],
  };
  const response = await fetch(`${ready.hub}/pairings`, {
    method: "POST",
    body: JSON.stringify({ name: "A", capability_manifest }),
  });
  const { error } = (await response.json()) as { error: { params: { problems: unknown } } };
  expect([response.status, error.params.problems]).toEqual([
    422,
    [expect.objectContaining({ pointer: expect.stringContaining("/properties/path/pattern") })],
  ]);
});

it("refuses a folder that another hub runs on, and takes it when that one was killed", async () => {
  const { child } = await startReady(scratch.base);
  const second = startScript("--listen", "127.0.0.1:0", "--data-dir", scratch.base);
  const said = text(second.stderr);
  expect(await once(second, "exit")).toEqual([1, null]);
  const file = join(scratch.base, "hub.db");
  expect(await said).toBe(
    `The hub did not start (database_in_use): The hub's database ${file} is used by another program. End that one first.\n`,
  );
  child.kill("SIGKILL");
  await once(child, "exit");
  await startReady(scratch.base);
});

it("says by a code which flag it does not take, and exits 2", async () => {
  expect(await run()).toEqual([2, expect.stringContaining("(data_dir_missing)")]);
  for (const [flags, code] of [
    [["--data-dir", scratch.base, "--prot", "1"], "bad_flag"],
    [["--data-dir", scratch.base, "stray"], "bad_flag"],
    [["--data-dir", scratch.base, "--listen", "4800"], "listen_malformed"],
    [["--data-dir", scratch.base, "--listen", "127.0.0.1:70000"], "listen_malformed"],
    [["--data-dir", scratch.base, "--listen", "0.0.0.0:4800"], "host_refused"],
  ] as const) {
    expect(await run(...flags)).toEqual([2, expect.stringContaining(`(${code})`)]);
  }
});

it("says by a code why it could not start, and exits 1", async () => {
  const { ready } = await startReady(scratch.base);
  const port = new URL(ready.hub).port;
  const elsewhere = join(scratch.base, "elsewhere");
  expect(await run("--data-dir", elsewhere, "--listen", `127.0.0.1:${port}`)).toEqual([
    1,
    `The hub did not start (port_in_use): The hub's port ${port} is used by another program.`,
  ]);
  const file = join(scratch.base, "a-file");
  writeFileSync(file, "");
  expect(await run("--data-dir", file, "--listen", "127.0.0.1:0")).toEqual([
    1,
    `The hub did not start (own_folder_kind): ${file} is no folder. Move it away.`,
  ]);
});
