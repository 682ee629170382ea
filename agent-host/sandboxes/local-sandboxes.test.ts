import { existsSync, readdirSync } from "node:fs";
import { mkdtemp, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ManualTime } from "../../app/contract/testing/manual-time.ts";
import { toolFailure } from "../../app/execution/ports.ts";
import { CommandRunner } from "../../main/tools/command/command-runner.ts";
import { thisMachine } from "../../main/tools/command/machine.ts";
import { SandboxProbe } from "../../main/tools/command/sandbox-probe.ts";
import { callsOnce, startHost } from "../testing/start-host.ts";
import { localSandboxes } from "./local-sandboxes.ts";
import { SANDBOX_LIFE_MS, SANDBOXES_PER_KEY, type Sandboxes } from "./sandboxes.ts";

let isAvailable = false;
beforeAll(async () => {
  isAvailable = (await new SandboxProbe(thisMachine(), "agent-host-tests").best()) !== null;
});

let dataDir: string;
let sandboxes: Sandboxes;
let time: ManualTime;

type Runner = Parameters<typeof localSandboxes>[0]["runner"];
type Ending = Awaited<ReturnType<Runner["run"]>>;

/** A sandbox in which commands only do what a test says. */
function playedRunner(
  play: (folder: string, signal: AbortSignal) => Promise<unknown> = async () => {},
): Runner {
  return {
    look: async () => ({ sandbox: {} }) as Awaited<ReturnType<Runner["look"]>>,
    async run({ directory }, _roots, _prospect, { signal }) {
      await play(directory, signal);
      return { stdout: Buffer.from(""), stderr: Buffer.from(""), exit_code: 0 } as Ending;
    },
  };
}

/** What a command finds out that it is to end. */
const endOf = (signal: AbortSignal) =>
  new Promise<never>((_, reject) => {
    signal.addEventListener("abort", () => reject(toolFailure("cancelled")), { once: true });
  });

const open = (runner: Runner): void => {
  time = new ManualTime();
  sandboxes = localSandboxes({ runner, scheduler: time });
};
/** With this computer's own sandbox. */
const openHere = (): void => open(new CommandRunner({ ownFolders: [dataDir] }));

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "local-sandboxes-"));
  open(playedRunner());
});
afterEach(async () => {
  await sandboxes[Symbol.asyncDispose]();
  await rm(dataDir, { recursive: true });
});

const folders = () =>
  readdirSync(tmpdir()).filter((name) => name.startsWith("agent-host-sandbox-"));
const signal = () => new AbortController().signal;
const run = (id: string, command: string, owner = "me") =>
  sandboxes.run(owner, id, { command, signal: signal() });

describe("a sandbox of this computer", () => {
  it("keeps its files between commands, and tells output and exit code apart", async (test) => {
    if (!isAvailable) test.skip("no sandbox on this computer");
    openHere();
    const { id, expiresAt } = await sandboxes.create("me");
    expect(expiresAt.getTime()).toBeGreaterThan(Date.now());
    expect(await run(id, "echo one > file; echo two >&2; exit 3")).toEqual({
      stdout: "",
      stderr: "two\n",
      exit_code: 3,
    });
    expect(await run(id, "cat file")).toMatchObject({ stdout: "one\n", exit_code: 0 });
  });

  it("has no network, and sees neither the host's data nor another sandbox", async (test) => {
    if (!isAvailable) test.skip("no sandbox on this computer");
    openHere();
    const other = await sandboxes.create("other");
    await run(other.id, "echo secret > file", "other");
    const { id } = await sandboxes.create("me");
    const { stdout } = await run(
      id,
      `cat ${tmpdir()}/agent-host-sandbox-*/file; ls ${dataDir} 2>&1; exec 3<>/dev/tcp/127.0.0.1/22 2>&1; true`,
    );
    expect(stdout).not.toContain("secret");
    expect(stdout).not.toContain("keys.json");
  });

  it("belongs to the key that made it", async () => {
    const { id } = await sandboxes.create("me");
    await expect(run(id, "true", "other")).rejects.toMatchObject({ code: "sandbox_unknown" });
    await expect(sandboxes.remove("other", id)).rejects.toMatchObject({ code: "sandbox_unknown" });
  });

  it("is gone with all it held when it is removed, unused for its time, or the host ends", async () => {
    const before = folders().length;
    const { id } = await sandboxes.create("me");
    expect(folders()).toHaveLength(before + 1);
    await sandboxes.remove("me", id);
    expect(folders()).toHaveLength(before);
    await expect(run(id, "true")).rejects.toMatchObject({ code: "sandbox_unknown" });

    await sandboxes.create("me");
    time.pass(SANDBOX_LIFE_MS);
    await expect.poll(() => folders().length).toBe(before);

    await sandboxes.create("me");
    await sandboxes[Symbol.asyncDispose]();
    expect(folders()).toHaveLength(before);
    expect(time.pending).toBe(0);
  });

  it("stays for its whole time after its last use, however many commands ran in it at once", async () => {
    const { id } = await sandboxes.create("me");
    await Promise.allSettled([run(id, "true"), run(id, "true")]);
    time.pass(SANDBOX_LIFE_MS - 1);
    await Promise.allSettled([run(id, "true")]);
    time.pass(SANDBOX_LIFE_MS - 1);
    await expect(sandboxes.remove("me", id)).resolves.toBeUndefined();
  });

  it("is one of ten at most for a key, also when more are asked for at once", async () => {
    const asked = Array.from({ length: SANDBOXES_PER_KEY + 1 }, () => sandboxes.create("me"));
    const refused = (await Promise.allSettled(asked)).filter(({ status }) => status === "rejected");
    expect(refused).toMatchObject([{ reason: { code: "too_many_sandboxes" } }]);
    await expect(sandboxes.create("me")).rejects.toMatchObject({ code: "too_many_sandboxes" });
    expect(await sandboxes.create("other")).toBeDefined();
  });

  const HALF = 200 * 1_048_576;
  /** Files of that size, without taking the space. */
  const fill = (folder: string, names: readonly string[]) =>
    Promise.all(
      names.map(async (name) => {
        await writeFile(join(folder, name), "");
        await truncate(join(folder, name), HALF);
      }),
    );

  it("is removed when it holds too much after a command", async () => {
    open(playedRunner((folder) => fill(folder, ["a", "b"])));
    const { id } = await sandboxes.create("me");
    await expect(run(id, "true")).rejects.toMatchObject({ code: "sandbox_full" });
    await expect(run(id, "true")).rejects.toMatchObject({ code: "sandbox_unknown" });
  });

  it("ends a command that fills it while it runs", async () => {
    let isEnded = false;
    open(
      playedRunner(async (folder, signal) => {
        await fill(folder, ["a"]);
        await time.advance(250);
        await fill(folder, ["b"]);
        const ended = endOf(signal);
        // Measuring takes its time; whenever it is done, it is set again or the command ends.
        const measuring = setInterval(() => time.pass(250), 10);
        await ended.finally(() => {
          isEnded = true;
          clearInterval(measuring);
        });
      }),
    );
    const { id } = await sandboxes.create("me");
    await expect(run(id, "true")).rejects.toMatchObject({ code: "sandbox_full" });
    expect(isEnded).toBe(true);
    expect(folders()).toEqual([]);
    expect(time.pending).toBe(0);
  });

  it("lets no command write a single file that is too large", async (test) => {
    if (!isAvailable) test.skip("no sandbox on this computer");
    openHere();
    const { id } = await sandboxes.create("me");
    const ended = await run(id, "truncate -s 300M big; stat -c %s big");
    expect(ended.stdout).toBe("0\n");
  });

  it("is not to be had where this computer has none", async () => {
    open({
      ...playedRunner(),
      look: async () => ({ sandbox: null }) as Awaited<ReturnType<Runner["look"]>>,
    });
    await expect(sandboxes.create("me")).rejects.toMatchObject({ code: "sandbox_unavailable" });
    expect(folders()).toEqual([]);
  });

  it("ends what runs in it when the request ends", async (test) => {
    if (!isAvailable) test.skip("no sandbox on this computer");
    openHere();
    const { id } = await sandboxes.create("me");
    const stop = new AbortController();
    const ended = sandboxes.run("me", id, { command: "sleep 60", signal: stop.signal });
    setTimeout(() => stop.abort(), 200);
    await expect(ended).rejects.toMatchObject({ code: "aborted" });
  });
});

describe("bash", () => {
  it("runs in the sandbox that the request names, through the API alone", async (test) => {
    if (!isAvailable) test.skip("no sandbox on this computer");
    openHere();
    const host = await startHost(callsOnce("bash", { command: "echo $((6 * 7))" }), { sandboxes });
    const made = await host.request("POST", "/api/v1/sandboxes");
    expect(made.status).toBe(201);
    const { sandboxId } = ((await made.json()) as { data: { sandboxId: string } }).data;
    const asking = {
      model: "anthropic/any",
      messages: [{ role: "user", content: "How much is 6 times 7?" }],
      allowedTools: ["bash"],
    };
    const { body } = await host.chat({ ...asking, context: { sandboxId } });
    expect(body.data.messages[0].parts[0].output).toEqual({
      stdout: "42\n",
      stderr: "",
      exit_code: 0,
    });
    expect(await host.chat(asking)).toMatchObject({
      status: 400,
      body: { details: { missingContext: ["sandboxId"] } },
    });
    expect((await host.request("DELETE", `/api/v1/sandboxes/${sandboxId}`)).status).toBe(204);
    const gone = await host.chat({ ...asking, context: { sandboxId } });
    expect(gone.body.data.messages[0].parts[0].output.error.code).toBe("sandbox_unknown");
    expect((await host.request("DELETE", `/api/v1/sandboxes/${sandboxId}`)).status).toBe(404);
  });

  it("is nothing without a sandbox: no command ever runs outside one", async () => {
    const host = await startHost(callsOnce("bash", { command: `touch ${dataDir}/ran` }));
    expect((await host.request("POST", "/api/v1/sandboxes")).status).toBe(503);
    const { body } = await host.chat({
      model: "anthropic/any",
      messages: [{ role: "user", content: "Go" }],
      allowedTools: ["bash"],
      context: { sandboxId: "any" },
    });
    expect(body.data.messages[0].parts[0].output.error.code).toBe("sandbox_unavailable");
    expect(existsSync(join(dataDir, "ran"))).toBe(false);
  });
});
