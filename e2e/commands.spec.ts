import { existsSync } from "node:fs";
import { join } from "node:path";
import { missingGlyphs } from "../renderer/text/glyphs/drawable.ts";
import { expect, sharedStage, test } from "./support/fixtures.ts";
import { scrollCardToEnd } from "./support/stage.ts";

test.describe("in a sandbox, where this computer has one", () => {
  const shared = sharedStage();

  test("a command is shown as one would type it, runs as shown and gives its output", async () => {
    const stage = shared();
    const folder = stage.folderWith({ "notes.md": "Buy milk.\n" });
    const { agent } = await stage.connectedAgent();
    const argv = ["printf", "%s|", "$HOME; ls", "two\nlines", ""];
    const called = agent.call("run_command", { argv, directory: folder });
    const card = await stage.card();
    await expect(card.getByTestId("consent-block")).toHaveText(
      "printf '%s|' '$HOME; ls' 'two¶\nlines' ''",
      { useInnerText: true },
    );
    await expect(card.getByTestId("consent-sandbox")).not.toBeEmpty();
    await stage.press("consent-allow-once");
    expect(await called).toMatchObject({
      result: { exit_code: 0, stdout: "$HOME; ls|two\nlines||", stderr: "" },
    });
  });

  test("a script is shown with its line breaks, and what is known to be dangerous in it is named", async () => {
    const stage = shared();
    const folder = stage.folderWith({ "old.txt": "" });
    const { agent } = await stage.connectedAgent();
    const script = "echo one\nrm -rf old.txt\necho two >> .profile";
    const called = agent.call("run_command", { argv: ["sh", "-c", script], directory: folder });
    const card = await stage.card();
    const shown = card.getByTestId("consent-block");
    const typed = `sh -c '${script.replaceAll("\n", "¶\n")}'`;
    await expect(shown).toHaveText(typed, { useInnerText: true });
    await expect(shown.locator("mark")).toHaveText(["rm -rf", ">> .profile"]);
    const dangers = card.getByTestId("consent-dangers");
    await expect(dangers.locator("li")).toHaveCount(2);
    await expect(dangers.locator('[data-danger="deletes_folders"]')).toBeVisible();
    await expect(dangers.locator('[data-danger="writes_dotfile"]')).toBeVisible();
    // Nothing is assigned to the last, so no font has it.
    const probed = ["a", "é", "\u{5fffc}"];
    expect(await stage.program.cards.evaluate(missingGlyphs, probed)).toEqual(["\u{5fffc}"]);
    await stage.press("consent-deny");
    expect(await called).toMatchObject({ error: { reason: "user_refused" } });
  });

  test("a running command is listed with what it wrote last, and cancelling it ends it", async () => {
    const stage = shared();
    const folder = stage.folderWith({});
    const { agent, credentials } = await stage.connectedAgent();
    const argv = ["sh", "-c", "echo halfway; touch started; sleep 60; touch ended"];
    const called = agent.call("run_command", { argv, directory: folder });
    await stage.press("consent-allow-once");
    const { main } = stage.program;
    await stage.open("home");
    await expect(main.getByTestId("running-row")).toHaveCount(1);
    await expect.poll(() => existsSync(join(folder, "started"))).toBe(true);
    await expect(main.getByTestId("output-tail")).toHaveText("halfway");
    await stage.openConversation(credentials);
    const running = main.locator('[data-testid="call-entry"][data-status="running"]');
    await expect(running.getByTestId("output-tail")).toHaveText("halfway");
    await stage.open("home");
    await main.getByTestId("cancel-call").click();
    expect(await called).toMatchObject({
      error: { code: "TOOL_PLATFORM_ERROR", reason: "cancelled" },
    });
    await expect(main.getByTestId("running-row")).toHaveCount(0);
    expect(existsSync(join(folder, "ended"))).toBe(false);
    await stage.open("activity");
    await expect(main.getByTestId("activity-row").first()).toContainText("Cancelled");
  });
});

test.describe("without a sandbox", () => {
  test.use({ hasSandbox: false });

  test("a command is allowed by holding the button or a key, not by a click", async ({ stage }) => {
    const { cards } = stage.program;
    const folder = stage.folderWith({});
    const { agent } = await stage.connectedAgent();
    const run = () => agent.call("run_command", { argv: ["printf", "done"], directory: folder });
    const done = { result: { exit_code: 0, stdout: "done" } };
    const first = run();
    const card = await stage.card();
    const allow = card.getByTestId("consent-allow-once");
    await allow.evaluate(scrollCardToEnd);
    await expect(allow).toHaveAttribute("aria-disabled", "false");
    await allow.click();
    await expect(card.getByTestId("consent-hold-hint")).toHaveText("Hold to allow");
    await stage.press("consent-allow-once");
    expect(await first).toMatchObject(done);

    const second = run();
    await allow.evaluate(scrollCardToEnd);
    await expect(allow).toHaveAttribute("aria-disabled", "false");
    await allow.focus();
    await cards.keyboard.down("a");
    await expect(allow).toHaveCount(0);
    await cards.keyboard.up("a");
    expect(await second).toMatchObject(done);
  });
});
