import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "@playwright/test";
import { scriptedModel } from "../agent-host/scripted-model/scripted-model.ts";
import { expect, test } from "./support/fixtures.ts";
import { oneCall, type RealAgent, realAgent, runAgent } from "./support/real-agent.ts";
import type { Stage } from "./support/stage.ts";

const AGENT_MS = 120_000;
test.setTimeout(2 * AGENT_MS);

const MCP = fileURLToPath(new URL("../scripts/mcp.mjs", import.meta.url));
const HOOK = fileURLToPath(new URL("../scripts/hook.mjs", import.meta.url));
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
    gemini: ["--skip-trust", "--approval-mode", "yolo", "-m", "gemini-2.5-flash", "-p", "Go on."],
  }[agent];
  const env = {
    HOME: stage.home,
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: "sk-scripted",
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
    DISABLE_TELEMETRY: "1",
    GOOGLE_GEMINI_BASE_URL: model.url,
    GEMINI_API_KEY: "scripted",
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

async function accept(main: Page, way?: "check_everything" | "only_watch"): Promise<void> {
  const card = main.getByTestId("pairing-card");
  await card.waitFor({ timeout: AGENT_MS });
  if (way !== undefined) {
    await card.getByTestId(`hook-way-${way}`).check();
  }
  await card.getByTestId("pairing-accept").click();
  await expect(card).toHaveCount(0);
}

async function answer(stage: Stage, button: string): Promise<void> {
  await stage.program.cards.getByTestId("consent-card").waitFor({ timeout: AGENT_MS });
  await stage.press(button);
}

/** @param named what the agent puts before the names of our tools, where it has tools of the same name */
async function usesATool(stage: Stage, agent: "codex" | "gemini", named = ""): Promise<void> {
  await connect(stage, agent, "tools");
  const path = join(stage.folderWith({}), "notes.md");
  const permissions = ["filesystem:read"];
  const first = await run(stage, agent, [`${named}request_permission`, { permissions }]);
  await accept(stage.program.main);
  await first.said;

  const second = await run(stage, agent, [`${named}read_file`, { path }]);
  await answer(stage, "consent-allow-once");
  expect(await second.said).toContain("Buy milk.");
  await expect(await stage.logLine({ tool: "read_file", status: "ok" })).toHaveCount(1);
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
    await accept(stage.program.main);
    await first.said;

    const second = await run(stage, "claude", ["read_file", { path }], allowed);
    await answer(stage, "consent-allow-once");
    expect(await second.said).toContain("Buy milk.");
    const row = await stage.logLine({ tool: "read_file", status: "ok" });
    await expect(row).toHaveCount(1);
  });

  test("is protected from Home in one press and one request, and then asks here", async ({
    stage,
  }) => {
    const { main } = stage.program;
    await main.getByTestId("protect-claude-code").click();
    await main.getByTestId("app-change").getByTestId("app-change-write").click();
    await expect(main.getByTestId("found-claude-code")).toContainText("Restart");
    const made = join(stage.folderWith({}), "made.txt");
    const command = `echo done > ${made}`;
    const words = ["Bash", { command, description: "Makes a file" }] as const;
    const first = await run(stage, "claude", words);
    await accept(main);
    await first.said;
    // Tools and hooks are one agent, which was asked for once.
    await expect((await stage.open("home")).locator(".identity")).toHaveCount(1);
    // Without a terminal it would ask nothing itself.
    await stage.open("agents");
    const way = main.getByTestId("hook-way-check_everything");
    await way.click();
    await expect(way).toBeChecked();
    const second = await run(stage, "claude", words);
    await answer(stage, "consent-allow-once");
    await second.said;
    expect(existsSync(made)).toBe(true);
  });

  test("asks here before its own tools run, and reports what became of them", async ({ stage }) => {
    await connect(stage, "claude-code", "hook");
    const made = join(stage.folderWith({}), "made.txt");
    const command = (file: string) =>
      ["Bash", { command: `echo done > ${file}`, description: "Makes a file" }] as const;
    const first = await run(stage, "claude", command(made));
    await accept(stage.program.main, "check_everything");
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

  test("is only in the log with what its own rules allow", async ({ stage }) => {
    await connect(stage, "claude-code", "hook");
    const first = await run(stage, "claude", ["Bash", { command: "ls", description: "Lists" }]);
    await accept(stage.program.main);
    await first.said;
    await expect(await stage.logLine({ tool: "run_command", status: "ok" })).toHaveCount(1);
  });

  test("is held up by nothing where Consentry only watches", async ({ stage }) => {
    await connect(stage, "claude-code", "hook");
    const made = join(stage.folderWith({}), "made.txt");
    const write = { file_path: made, content: "done" };
    const allowed = ["--permission-mode", "acceptEdits"];
    const only = await run(stage, "claude", ["Write", write], allowed);
    await accept(stage.program.main, "only_watch");
    await only.said;
    expect(existsSync(made)).toBe(true);
    await expect(await stage.logLine({ tool: "write_file", status: "ok" })).toHaveCount(1);
  });

  test("asks here over HTTP before its own tools run", async ({ stage }) => {
    const args = [HOOK, "claude-code", "--http", "--data-dir", stage.dataDir];
    const env = { HOME: stage.home };
    const printed = runAgent(process.execPath, args, { folder: stage.home, env });
    await accept(stage.program.main, "check_everything");
    // The settings alone: what is said to the person stands before them.
    const settings = (await printed.ended).replace(/^[^{]*/, "");
    writeFileSync(join(stage.home, ".claude/settings.json"), settings);

    const made = join(stage.folderWith({}), "made.txt");
    const command = { command: `echo done > ${made}`, description: "Makes a file" };
    const asked = await run(stage, "claude", ["Bash", command]);
    // It is not the program that printed the token.
    const other = stage.program.main.getByTestId("pairing-card");
    await other.getByTestId("pairing-accept").click({ timeout: AGENT_MS });
    await answer(stage, "consent-allow-once");
    await asked.said;
    expect(existsSync(made)).toBe(true);
  });

  test("asks here through --permission-prompt-tool", async ({ stage }) => {
    const args = [MCP, "--data-dir", stage.dataDir, "--no-start", "--permission-prompt"];
    const servers = { mcpServers: { consentry: { command: process.execPath, args } } };
    const flags = ["--mcp-config", JSON.stringify(servers)];
    flags.push("--permission-prompt-tool", "mcp__consentry__permission_prompt");
    const made = join(stage.folderWith({}), "made.txt");
    const write = ["Write", { file_path: made, content: "done" }] as const;
    const said = await run(stage, "claude", write, flags);
    // The server asks for its own tools, the prompt for the agent's: one request to connect.
    await accept(stage.program.main);
    await answer(stage, "consent-allow-once");
    expect(await said.said).toContain("created");
    expect(existsSync(made)).toBe(true);
  });
});

test.describe("Gemini CLI", () => {
  test.skip(realAgent("gemini") === null, `no Gemini CLI: ${MISSING}`);
  test.beforeEach(({ stage }) => {
    mkdirSync(join(stage.home, ".gemini"));
    const settings = { security: { auth: { selectedType: "gemini-api-key" } } };
    writeFileSync(join(stage.home, ".gemini/settings.json"), JSON.stringify(settings));
  });

  test("uses a tool of ours, once the person has connected it and allowed the call", ({ stage }) =>
    usesATool(stage, "gemini", "mcp_consentry_"));

  test("asks here before its own tools run", async ({ stage }) => {
    await connect(stage, "gemini", "hook");
    const made = join(stage.folderWith({}), "made.txt");
    const command = (file: string) =>
      ["run_shell_command", { command: `echo done > ${file}` }] as const;
    const first = await run(stage, "gemini", command(made));
    await accept(stage.program.main, "check_everything");
    await answer(stage, "consent-allow-once");
    await first.said;
    expect(existsSync(made)).toBe(true);

    const other = `${made}.other`;
    const second = await run(stage, "gemini", command(other));
    await answer(stage, "consent-deny");
    await second.said;
    expect(existsSync(other)).toBe(false);
  });
});

test.describe("Codex", () => {
  test.skip(realAgent("codex") === null, `no Codex: ${MISSING}`);
  test.beforeEach(({ stage }) => mkdirSync(join(stage.home, ".codex")));

  test("uses a tool of ours, once the person has connected it and allowed the call", ({ stage }) =>
    usesATool(stage, "codex"));

  test("asks here before its own tools run", async ({ stage }) => {
    await connect(stage, "codex", "hook");
    const made = join(stage.folderWith({}), "made.txt");
    const first = await run(stage, "codex", ["exec_command", { cmd: `echo done > ${made}` }]);
    await accept(stage.program.main, "check_everything");
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
