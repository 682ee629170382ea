import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { scriptedModel } from "../agent-host/scripted-model/scripted-model.ts";
import { expect, type Stage, test } from "./support/fixtures.ts";
import { oneCall, type RealAgent, realAgent, runAgent } from "./support/real-agent.ts";

const AGENT_MS = 120_000;
test.setTimeout(2 * AGENT_MS);

const MCP = fileURLToPath(new URL("../scripts/mcp.ts", import.meta.url));
const MISSING = "its command line is neither on the PATH nor in CONSENTRY_AGENTS_DIR";

/** Runs the agent, whose model calls this tool once. @returns what the agent said in the end */
async function run(
  stage: Stage,
  agent: RealAgent,
  [tool, input]: readonly [string, object],
  more: readonly string[] = [],
): Promise<{ readonly said: Promise<string> }> {
  const file = realAgent(agent) ?? "";
  const model = await scriptedModel(oneCall(tool, input));
  const folder = stage.folderWith({ "notes.md": "Buy milk.\n" });
  const provider = `{ name = "scripted", base_url = "${model.url}/v1", wire_api = "responses" }`;
  const words = {
    claude: ["--print", "Go on.", "--model", "claude-sonnet-4-5", ...more],
    codex: [
      ...["exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust"],
      ...["--sandbox", "danger-full-access", "-m", "scripted"],
      ...["-c", "model_provider=scripted", "-c", `model_providers.scripted=${provider}`],
      ...more,
      "Go on.",
    ],
  }[agent];
  const env = {
    HOME: stage.home,
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: "sk-scripted",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
  };
  const { ended } = runAgent(file, words, { folder, env });
  return { said: ended.finally(() => model[Symbol.asyncDispose]()) };
}

/** Connects it on the page, as a person does. */
async function connect(stage: Stage, app: string, part: "tools" | "hook"): Promise<void> {
  const main = await stage.open("agents");
  await main.getByTestId(`connect-${app}-${part}`).click();
  await main.getByTestId("app-change").getByTestId("app-change-write").click();
  await expect(main.getByTestId(`app-${app}-${part}`)).toHaveAttribute("data-state", "connected");
  await stage.open("home");
}

async function accept(main: Page, scope: string): Promise<void> {
  const card = main.getByTestId("pairing-card");
  await card.waitFor({ timeout: AGENT_MS });
  await card.getByTestId(`pairing-scope-${scope}`).setChecked(true);
  await card.getByTestId("pairing-accept").click();
  await expect(card).toHaveCount(0);
}

async function answer(stage: Stage, button: string): Promise<void> {
  await stage.program.cards.getByTestId("consent-card").waitFor({ timeout: AGENT_MS });
  await stage.press(button);
}

test.describe("Claude Code", () => {
  test.skip(realAgent("claude") === null, `no Claude Code: ${MISSING}`);
  test.beforeEach(({ stage }) => {
    mkdirSync(join(stage.home, ".claude"));
    writeFileSync(join(stage.home, ".claude.json"), "{}");
  });

  test("uses a tool of ours, once the person has connected it and allowed the call", async ({
    stage,
  }) => {
    await connect(stage, "claude-code", "tools");
    const path = join(stage.folderWith({}), "notes.md");
    const allowed = ["--allowedTools", "mcp__consentry__read_file"];
    allowed.push("mcp__consentry__request_permission");
    const first = await run(
      stage,
      "claude",
      ["request_permission", { permissions: ["filesystem:read"] }],
      allowed,
    );
    await accept(stage.program.main, "filesystem:read");
    await first.said;

    const second = await run(stage, "claude", ["read_file", { path }], allowed);
    await answer(stage, "consent-allow-once");
    expect(await second.said).toContain("Buy milk.");
    const row = await stage.logLine({ tool: "read_file", status: "ok" });
    await expect(row).toHaveCount(1);
  });

  test("asks here before its own tools run, and reports what became of them", async ({ stage }) => {
    await connect(stage, "claude-code", "hook");
    const made = join(stage.folderWith({}), "made.txt");
    const command = (file: string) =>
      ["Bash", { command: `echo done > ${file}`, description: "Makes a file" }] as const;
    const first = await run(stage, "claude", command(made));
    await accept(stage.program.main, "shell:exec");
    const card = stage.program.cards.getByTestId("consent-card");
    await expect(card).toContainText(made);
    await answer(stage, "consent-allow-once");
    await first.said;
    expect(existsSync(made)).toBe(true);
    const main = await stage.open("activity");
    await expect(main.locator("figcaption").last()).toHaveText("Calls by agent");
    await (await stage.logLine({ tool: "run_command", status: "ok" })).click();
    await expect(main.getByTestId("activity-carried-out")).toHaveAttribute(
      "data-said",
      "succeeded",
    );

    const other = `${made}.other`;
    const second = await run(stage, "claude", command(other));
    await answer(stage, "consent-deny");
    expect(await second.said).toContain("The person denied this");
    expect(existsSync(other)).toBe(false);
  });

  test("asks here through --permission-prompt-tool", async ({ stage }) => {
    const args = [MCP, "--data-dir", stage.dataDir, "--no-start", "--permission-prompt"];
    const servers = { mcpServers: { consentry: { command: process.execPath, args } } };
    const flags = ["--mcp-config", JSON.stringify(servers)];
    flags.push("--permission-prompt-tool", "mcp__consentry__permission_prompt");
    const made = join(stage.folderWith({}), "made.txt");
    const write = ["Write", { file_path: made, content: "done" }] as const;
    const said = await run(stage, "claude", write, flags);
    // The server asks for its own tools, the prompt for the agent's: two requests to connect.
    const cards = stage.program.main.getByTestId("pairing-card");
    await expect(cards).toHaveCount(2, { timeout: AGENT_MS });
    const clipboard = stage.program.main.getByTestId("pairing-scope-clipboard:write");
    const prompt = cards.filter({ hasNot: clipboard });
    await prompt.getByTestId("pairing-scope-filesystem:write").setChecked(true);
    await prompt.getByTestId("pairing-accept").click();
    await answer(stage, "consent-allow-once");
    await said.said;
    expect(existsSync(made)).toBe(true);
  });
});

test.describe("Codex", () => {
  test.skip(realAgent("codex") === null, `no Codex: ${MISSING}`);
  test.beforeEach(({ stage }) => mkdirSync(join(stage.home, ".codex")));

  test("asks here before its own tools run", async ({ stage }) => {
    await connect(stage, "codex", "hook");
    const made = join(stage.folderWith({}), "made.txt");
    const first = await run(stage, "codex", ["exec_command", { cmd: `echo done > ${made}` }]);
    await accept(stage.program.main, "shell:exec");
    await answer(stage, "consent-allow-once");
    const said = await first.said;
    expect(said).not.toMatch(/unsupported/i);
    expect(existsSync(made)).toBe(true);

    const other = `${made}.other`;
    const second = await run(stage, "codex", ["exec_command", { cmd: `echo done > ${other}` }]);
    await answer(stage, "consent-deny");
    await second.said;
    expect(existsSync(other)).toBe(false);

    // Its hook is there, and denies what nobody can be asked about.
    await stage.program.stop();
    const third = await run(stage, "codex", ["exec_command", { cmd: `echo done > ${other}` }]);
    expect(await third.said).toContain("Consentry is not running");
    expect(existsSync(other)).toBe(false);
  });
});
