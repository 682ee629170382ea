import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { AgentTerminal, hasTerminals } from "./support/agent-terminal.ts";
import { expect, test } from "./support/fixtures.ts";
import { realAgent } from "./support/real-agent.ts";
import type { Stage } from "./support/stage.ts";

test.setTimeout(300_000);
test.skip(!hasTerminals(), "no `script` of util-linux, which gives a command a terminal");

const FORCED = "git push --force";
const START_MS = 60_000;

async function connect(stage: Stage, app: "claude-code" | "codex"): Promise<void> {
  const main = await stage.open("agents");
  await main.getByTestId(`connect-${app}-hook`).click();
  await main.getByTestId("app-change").getByTestId("app-change-write").click();
  await expect(main.getByTestId(`app-${app}-hook`)).toHaveAttribute("data-state", "connected");
  await stage.open("home");
}

async function accept(main: Page, way: "ask_here" | "check_everything" | "only_watch") {
  const card = main.getByTestId("pairing-card");
  await card.waitFor({ timeout: START_MS });
  await card.getByTestId(`hook-way-${way}`).check();
  await card.getByTestId("pairing-accept").click();
  await expect(card).toHaveCount(0);
}

/** The one card, about this. */
async function cardAbout(stage: Stage, text: string): Promise<void> {
  const { cards } = stage.program;
  await cards.getByTestId("consent-card").waitFor({ timeout: START_MS });
  await expect(await stage.card()).toContainText(text);
}

test.describe("Claude Code", () => {
  test.skip(realAgent("claude") === null, "no Claude Code");
  test.beforeEach(async ({ stage }) => {
    mkdirSync(join(stage.home, ".claude"));
    // What its dialog's "don't ask again" leaves.
    const settings = { permissions: { allow: ["Bash(git push:*)", "Bash(npm test:*)"] } };
    writeFileSync(join(stage.home, ".claude/settings.json"), JSON.stringify(settings));
    await connect(stage, "claude-code");
  });

  const bash = (command: string, more: object = {}) =>
    ["Bash", { command, description: "A step", ...more }] as const;
  const DIALOG = "Do you want to proceed?";

  test("the first answer wins, in its terminal or on the card", async ({ stage }) => {
    const calls = ["one", "two", "three"].map((name) => bash(`touch made-${name}`));
    await using terminal = await AgentTerminal.start(stage, "claude", calls);
    const made = (name: string) => existsSync(join(terminal.folder, `made-${name}`));
    await accept(stage.program.main, "ask_here");

    await cardAbout(stage, "made-one");
    await terminal.says(DIALOG);
    expect(made("one")).toBe(false);
    terminal.type("1");
    await expect.poll(() => made("one")).toBe(true);

    // The card of before is gone, and this is the next one.
    await cardAbout(stage, "made-two");
    await terminal.says(DIALOG);
    await stage.press("consent-allow-once");
    await expect.poll(() => made("two")).toBe(true);

    await cardAbout(stage, "made-three");
    await stage.press("consent-deny");
    await terminal.says("The person denied this");
    expect(made("three")).toBe(false);

    const there = await stage.logLine({ "decided-by": "agent", status: "cancelled" });
    await expect(there).toContainText("Answered in the terminal");
  });

  test("what is dangerous is asked about once, though its own rules allow it", async ({
    stage,
  }) => {
    const off = { dangerouslyDisableSandbox: true };
    const calls = [bash(FORCED), bash("npm test", off), bash("git push")];
    await using terminal = await AgentTerminal.start(stage, "claude", calls);
    await accept(stage.program.main, "ask_here");
    await cardAbout(stage, FORCED);
    await terminal.says("Consentry wants the person to be asked: this can do harm.");
    await stage.press("consent-deny");
    await cardAbout(stage, "npm test");
    await stage.press("consent-deny");
    // Its own rules allow that, and nobody is asked.
    await terminal.says("Told: ");
    await stage.noCard();
    await expect(await stage.logLine({ status: "denied" })).toHaveCount(2);
    await expect(await stage.logLine({ "decided-by": "agent" })).toHaveCount(1);
  });

  test("a card of one that is killed goes", async ({ stage }) => {
    await using terminal = await AgentTerminal.start(stage, "claude", [bash("touch made")]);
    await accept(stage.program.main, "ask_here");
    await cardAbout(stage, "touch made");
    terminal.kill();
    await stage.noCard();
  });

  test("where Consentry is killed, its dialog answers", async ({ stage }) => {
    await using terminal = await AgentTerminal.start(stage, "claude", [bash("touch made")]);
    await accept(stage.program.main, "ask_here");
    await cardAbout(stage, "touch made");
    await terminal.says(DIALOG);
    await stage.program.kill();
    terminal.type("1");
    await terminal.says("Told: ");
    expect(existsSync(join(terminal.folder, "made"))).toBe(true);
  });

  test("only watched, its dialog alone asks; checked, the card alone", async ({ stage }) => {
    const calls = [bash("touch made-one"), bash("touch made-two")];
    await using terminal = await AgentTerminal.start(stage, "claude", calls);
    await accept(stage.program.main, "only_watch");
    await terminal.says(DIALOG);
    await stage.noCard();
    const main = await stage.open("agents");
    const way = main.getByTestId("hook-way-check_everything");
    await way.click();
    await expect(way).toBeChecked();
    terminal.type("1");
    await cardAbout(stage, "made-two");
    await stage.press("consent-allow-once");
    await terminal.says("Told: ");
    expect(existsSync(join(terminal.folder, "made-one"))).toBe(true);
    expect(existsSync(join(terminal.folder, "made-two"))).toBe(true);
  });
});

test.describe("Codex", () => {
  test.skip(realAgent("codex") === null, "no Codex");
  test.beforeEach(async ({ stage }) => {
    mkdirSync(join(stage.home, ".codex/rules"), { recursive: true });
    const rule = `prefix_rule(pattern = ["git", "push"], decision = "allow")\n`;
    writeFileSync(join(stage.home, ".codex/rules/default.rules"), rule);
    await connect(stage, "codex");
  });

  /** What it asks the person about by itself. */
  const outside = (cmd: string) =>
    [
      "exec_command",
      { cmd, sandbox_permissions: "require_escalated", justification: "May I?" },
    ] as const;
  const DIALOG = "Would you like to run the following command?";

  test("asks here first: answered here, or left to its dialog", async ({ stage }) => {
    const calls = ["one", "two", "three"].map((name) => outside(`touch made-${name}`));
    await using terminal = await AgentTerminal.start(stage, "codex", calls);
    const made = (name: string) => existsSync(join(terminal.folder, `made-${name}`));
    await accept(stage.program.main, "ask_here");

    await cardAbout(stage, "made-one");
    await stage.press("consent-allow-once");
    await expect.poll(() => made("one")).toBe(true);

    await cardAbout(stage, "made-two");
    await stage.program.cards.getByRole("button", { name: "Answer there" }).click();
    await stage.noCard();
    await terminal.says(DIALOG);
    expect(made("two")).toBe(false);
    terminal.type("y");
    await expect.poll(() => made("two")).toBe(true);

    await cardAbout(stage, "made-three");
    await stage.press("consent-deny");
    await terminal.says("The person denied this");
    expect(made("three")).toBe(false);
  });

  test("what is dangerous is asked about, though its own rules allow it", async ({ stage }) => {
    const calls = [["exec_command", { cmd: FORCED }] as const];
    await using terminal = await AgentTerminal.start(stage, "codex", calls);
    await accept(stage.program.main, "ask_here");
    await cardAbout(stage, FORCED);
    await stage.press("consent-deny");
    await terminal.says("The person denied this");
  });

  test("a card of one that is killed goes", async ({ stage }) => {
    await using terminal = await AgentTerminal.start(stage, "codex", [outside("touch made")]);
    await accept(stage.program.main, "ask_here");
    await cardAbout(stage, "touch made");
    terminal.kill();
    await stage.noCard();
  });

  test("where Consentry is killed, its dialog comes", async ({ stage }) => {
    await using terminal = await AgentTerminal.start(stage, "codex", [outside("touch made")]);
    await accept(stage.program.main, "ask_here");
    await cardAbout(stage, "touch made");
    await stage.program.kill();
    await terminal.says(DIALOG);
    terminal.type("y");
    await terminal.says("Told: ");
    expect(existsSync(join(terminal.folder, "made"))).toBe(true);
  });

  test("only watched, its dialog alone asks; checked, the card is asked first", async ({
    stage,
  }) => {
    const calls = [outside("touch made-one"), ["exec_command", { cmd: "touch made-two" }] as const];
    await using terminal = await AgentTerminal.start(stage, "codex", calls);
    await accept(stage.program.main, "only_watch");
    await terminal.says(DIALOG);
    await stage.noCard();
    const main = await stage.open("agents");
    const way = main.getByTestId("hook-way-check_everything");
    await way.click();
    await expect(way).toBeChecked();
    terminal.type("y");
    await cardAbout(stage, "made-two");
    await stage.press("consent-allow-once");
    await terminal.says("Told: ");
    expect(existsSync(join(terminal.folder, "made-one"))).toBe(true);
    expect(existsSync(join(terminal.folder, "made-two"))).toBe(true);
  });
});
