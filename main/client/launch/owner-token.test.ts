import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { whileClientIsDown } from "../testing/hub-outside.ts";
import { LaunchedClient } from "../testing/launched-client.ts";
import { MANIFEST } from "../testing/test-manifest.ts";
import { runOwnerToken } from "./owner-token.ts";

async function asked(...argv: readonly string[]) {
  const stdout: string[] = [];
  const stderr: string[] = [];
  const code = await runOwnerToken(argv, {
    stdout: (line) => stdout.push(line),
    stderr: (line) => stderr.push(line),
  });
  return { code, stdout, stderr: stderr.join("\n") };
}

const isOwners = async (hub: string, token = "") =>
  (await fetch(`${hub}/h2a/relations`, { headers: { authorization: `Bearer ${token}` } })).status;

describe("the owner's token for scripts", () => {
  it("comes alone on standard output from the running program, and registers agents there", async () => {
    const client = await LaunchedClient.start();
    const { code, stdout, stderr } = await asked("--data-dir", client.dataDir);
    expect({ code, stderr, lines: stdout.length }).toEqual({ code: 0, stderr: "", lines: 1 });
    const answer = await fetch(`${client.hubUrl}/agents`, {
      method: "POST",
      headers: { authorization: `Bearer ${stdout[0]}`, "content-type": "application/json" },
      body: JSON.stringify({ name: "Scripted", capability_manifest: MANIFEST }),
    });
    expect(answer.status).toBe(201);
    const { data } = (await answer.json()) as { data: { agent_id: string } };
    expect(await client.call("agents.find", { text: data.agent_id })).toMatchObject({
      name: "Scripted",
    });
  });

  it("comes from a hub that runs alone, too", async () => {
    const dataDir = scratchFolder();
    const { code, status } = await whileClientIsDown(dataDir, async ({ hub }) => {
      const { code, stdout } = await asked("--data-dir", dataDir);
      return { code, status: await isOwners(hub.url, stdout[0]) };
    });
    expect({ code, status }).toEqual({ code: 0, status: 200 });
  });

  it("is not given where a policy cannot be read, because nothing may be changed then", async () => {
    const client = new LaunchedClient();
    client.policyFile = join(scratchFolder(), "policy.json");
    writeFileSync(client.policyFile, "no policy");
    try {
      await client.launch();
      expect(await asked("--data-dir", client.dataDir)).toMatchObject({ code: 1, stdout: [] });
    } finally {
      await client.end();
    }
  });

  it.each([
    ["nothing was ever started", () => join(scratchFolder(), "none")],
    [
      "a hub was killed, and left its token behind",
      () => {
        const dataDir = scratchFolder();
        mkdirSync(dataDir, { recursive: true });
        writeFileSync(join(dataDir, "owner.token"), "stale\n", { mode: 0o600 });
        return dataDir;
      },
    ],
  ])("ends with a code where %s", async (_, folder) => {
    const { code, stdout, stderr } = await asked("--data-dir", folder());
    expect({ code, stdout }).toEqual({ code: 1, stdout: [] });
    expect(stderr).toContain("(not_running)");
  });

  it.each([["--data-dir", ""], ["--else"], ["more"]])("refuses %s %s", async (...argv) => {
    const { code, stdout, stderr } = await asked(...argv);
    expect({ code, stdout }).toEqual({ code: 2, stdout: [] });
    expect(stderr).toContain("--data-dir");
  });
});
