import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ScriptedModel, scriptedModel } from "../agent-host/scripted-model/scripted-model.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const script = ["run", "--silent", "agent-host", "--"];

let folder: string;
let config: string;
let model: ScriptedModel;
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "consentry-agent-host-"));
  config = join(folder, "host.json");
  model = await scriptedModel(() => ({ text: "Hello yourself." }));
  const anthropic = { baseUrl: `${model.url}/v1`, apiKeyEnv: "TEST_MODEL_KEY" };
  writeFileSync(config, JSON.stringify({ dataDir: "data", providers: { anthropic } }));
});
afterAll(async () => {
  await model[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

const env = { ...process.env, TEST_MODEL_KEY: "none" };
const isThere = (program: string): Promise<boolean> =>
  promisify(execFile)(program, ["--version"]).then(
    () => true,
    () => false,
  );

describe("the host as its page starts it", () => {
  it("answers its page's three snippets", async (test) => {
    if (process.platform === "win32") test.skip("the snippets are for a POSIX shell");
    const add = [...script, "keys", "add", "laptop", "--config", config];
    const { stdout } = await promisify(execFile)("npm", add, { cwd: root, env });
    const key = stdout.trim();
    expect(stdout).toBe(`${key}\n`);

    const listen = [...script, "--listen", "127.0.0.1:0", "--config", config];
    const host = spawn("npm", listen, {
      cwd: root,
      env,
      stdio: ["ignore", "pipe", "inherit"],
      detached: true,
    });
    const ended = once(host, "close");
    try {
      const [line] = await once(createInterface({ input: host.stdout }), "line");
      const { event, url } = JSON.parse(line);
      expect(event).toBe("ready");
      const asking = { ...env, AGENT_HOST_URL: url, AGENT_HOST_KEY: key };
      const snippets = [
        ["curl", "sh", "chat.sh"],
        ["python3", "python3", "chat.py"],
        ["node", process.execPath, "chat.ts"],
      ] as const;
      let run = 0;
      for (const [needed, program, file] of snippets) {
        if (!(await isThere(needed))) continue;
        const example = join(root, "agent-host/examples", file);
        const answer = await promisify(execFile)(program, [example], { env: asking });
        expect(answer.stdout).toContain("Hello yourself.");
        run += 1;
      }
      expect(run).toBeGreaterThan(0);
    } finally {
      if (host.pid !== undefined) process.kill(-host.pid, "SIGTERM");
    }
    await ended;
  }, 120_000);

  it("has the snippets on its page as they are run", () => {
    const readme = readFileSync(join(root, "agent-host/README.md"), "utf8");
    const example = readFileSync(join(root, "agent-host/examples/chat.sh"), "utf8");
    expect(readme).toContain(`\`\`\`bash\n${example}\`\`\``);
    for (const file of ["chat.py", "chat.ts"]) expect(readme).toContain(`(examples/${file})`);
  });
});
