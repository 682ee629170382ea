import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { choose } from "./support/choose.ts";
import { expect, test } from "./support/fixtures.ts";
import { MANIFEST } from "./support/manifest.ts";
import type { RunningAgent } from "./support/running-agent.ts";
import { openSite } from "./support/site.ts";

const OK = { result: { status_code: 200, body: "hello" } };
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const REFUSED = { error: { reason: "user_refused" } };

test("the third request of a kind offers a rule, which then answers, is listed, tried out, changed and removed", async ({
  stage,
}) => {
  const site = await openSite((_, response) => response.end("hello"));
  const { agent } = await stage.connectedAgent();
  const main = await stage.open("permissions");
  await main.getByTestId("add-host-name").fill(site.host);
  await main.getByTestId("add-host").click();
  await expect(main.getByTestId("host-row")).toHaveCount(1);
  const fetched = (path: string) => agent.call("fetch_url", { url: `${site.url}${path}` });

  const first = fetched("1");
  await stage.press("consent-allow-once");
  expect(await first).toMatchObject(OK);
  const second = fetched("2");
  await (await stage.card()).getByTestId("consent-lasts-today").click();
  await expect((await stage.card()).getByTestId("consent-gives")).toHaveText(
    `Not asked again until midnight: reading pages from ${site.host}; sending data is still asked.`,
  );
  await stage.press("consent-allow-today");
  expect(await second).toMatchObject(OK);

  expect(await fetched("4")).toMatchObject(OK);
  expect(await fetched("5")).toMatchObject(OK);
  await stage.noCard();
  const sent = agent.call("fetch_url", { url: site.url, method: "POST", body: "sent" });
  await stage.press("consent-deny");
  expect(await sent).toMatchObject(REFUSED);
  await stage.logLine({ tool: "fetch_url", "decided-by": "rule" });

  await main.locator('[data-testid="activity-row"][data-decided-by="rule"]').first().click();
  const why = main.getByTestId("why-rule");
  await expect(why).toContainText(`${site.host}, reading only`);
  await why.getByTestId("why-given").click();
  await expect(main.getByTestId("activity-row")).toHaveAttribute("data-decided-by", "person");

  await stage.open("permissions");
  const row = main.getByTestId("rule-row");
  await expect(row).toHaveAttribute("data-uses", "2");
  await expect(row).toContainText("used 2 times");
  await expect(row.getByTestId("rule-row-about")).toHaveText(`${site.host}, reading only`);

  const tried = async (about: string): Promise<string | null> => {
    await main.getByTestId("rule-test").click();
    await choose(main.getByTestId("rule-test-tool"), "fetch_url");
    await main.getByTestId("rule-test-about").fill(about);
    await main.getByTestId("rule-test-go").click();
    const result = main.getByTestId("rule-test-result");
    await expect(result).toHaveAttribute("data-outcome", /./);
    const outcome = await result.getAttribute("data-outcome");
    await main.keyboard.press("Escape");
    await expect(main.getByTestId("rule-test-dialog")).toHaveCount(0);
    return outcome;
  };
  expect(await tried(`${site.url}6`)).toBe("allow");
  expect(await tried("https://elsewhere.example/")).toBe("ask");

  await row.getByTestId("rule-edit").click();
  await choose(main.getByTestId("rule-effect"), "deny");
  await choose(main.getByTestId("rule-time"), "always");
  await main.getByTestId("rule-save").click();
  await expect(row).toHaveAttribute("data-effect", "deny");
  expect(await fetched("7")).toMatchObject(REFUSED);
  expect(await tried(`${site.url}8`)).toBe("deny");

  await row.getByTestId("remove-rule").click();
  await expect(row).toHaveCount(0);
  const last = fetched("9");
  await stage.press("consent-deny");
  expect(await last).toMatchObject(REFUSED);

  // Both rules are gone: the log still says of each call that one decided it, since when, and on which call it was made.
  await stage.open("activity");
  const lines = main.locator('[data-testid="activity-row"][data-decided-by="rule"]');
  await lines.first().click();
  const gone = main.getByTestId("why-gone");
  await expect(gone).toContainText("You made this rule on");
  await expect(gone.getByTestId("why-given")).toHaveCount(0);
  await expect(main.getByTestId("why-ask-again")).toHaveCount(0);
  await main.keyboard.press("Escape");
  await lines.last().click();
  await gone.getByTestId("why-given").click();
  await expect(main.getByTestId("activity-row")).toHaveAttribute("data-decided-by", "person");
  site.close();
});

test("a rule that is written answers what waits; a high one only for a narrow place and a time", async ({
  stage,
}) => {
  const { agent } = await stage.connectedAgent();
  const main = await stage.open("permissions");
  const write = async (effect: string, covers: string, time: string): Promise<void> => {
    await main.getByTestId("rule-new").click();
    await choose(main.getByTestId("rule-effect"), effect);
    await choose(main.getByTestId("rule-covers"), covers);
    await choose(main.getByTestId("rule-time"), time);
  };
  await main.getByTestId("rule-new").waitFor();
  await write("allow", "write_file", "always");
  await choose(main.getByTestId("rule-kind"), "anything");
  await main.getByTestId("rule-save").click();
  await expect(main.getByTestId("rule-problem")).toContainText("asks every time");
  await choose(main.getByTestId("rule-kind"), "path");
  await main.getByTestId("rule-path").fill(stage.home);
  await main.getByTestId("rule-save").click();
  await expect(main.getByTestId("rule-problem")).toContainText("8 hours at most");
  await choose(main.getByTestId("rule-time"), "hours");
  await main.getByTestId("rule-save").click();
  await expect(main.getByTestId("rule-row")).toHaveAttribute("data-covers", "write_file");

  const path = join(stage.home, "notes.md");
  const first = agent.call("write_file", { path, content: "1" });
  // The folder itself is given on a card, by nobody's rule.
  await stage.opensFolder();
  expect(await first).toMatchObject({ result: { created: true } });
  expect(
    await agent.call("write_file", { path, content: "2", if_exists: "replace" }),
  ).toMatchObject({
    result: { created: false },
  });
  expect(readFileSync(path, "utf8")).toBe("2");
  await stage.logLine({ tool: "write_file", "decided-by": "rule" });
  const hidden = agent.call("write_file", { path: join(stage.home, ".bashrc"), content: "x" });
  await stage.press("consent-deny");
  expect(await hidden).toMatchObject(REFUSED);
});

test("a rule about a command is for its program with its first arguments, for 8 hours and in a sandbox alone", async ({
  stage,
}) => {
  const { agent } = await stage.connectedAgent();
  const directory = stage.folderWith({});
  const runs = (argv: readonly string[], more: object = {}) =>
    agent.call("run_command", { argv, directory, ...more });
  const denied = async (call: Promise<unknown>): Promise<void> => {
    await stage.press("consent-deny");
    expect(await call).toMatchObject(REFUSED);
  };
  const first = runs(["printf", "hello", "one"]);
  const card = await stage.card();
  const allow = card.getByTestId("consent-allow-once");
  // What runs without a sandbox is allowed by holding the button.
  const hasSandbox = (await allow.getAttribute("data-hold")) === null;
  await stage.opensFolder();
  expect(await first).toHaveProperty("result");

  const main = await stage.open("permissions");
  await main.getByTestId("rule-new").click();
  await choose(main.getByTestId("rule-effect"), "allow");
  await choose(main.getByTestId("rule-covers"), "run_command");
  await main.getByTestId("rule-command").fill("printf\nhello");
  await choose(main.getByTestId("rule-time"), "hours");
  await main.getByTestId("rule-save").click();
  await expect(main.getByTestId("rule-row")).toHaveCount(1);
  const second = runs(["printf", "hello", "two"]);
  if (!hasSandbox) return await denied(second);
  expect(await second).toMatchObject({ result: { stdout: "hello" } });
  const line = await stage.logLine({ tool: "run_command", "decided-by": "rule" });
  await expect(line).toHaveCount(1);

  await denied(runs(["printf", "goodbye"]));
  await denied(runs(["env", "printf", "hello"]));
  await denied(runs(["printf", "hello", "three"], { network: true }));
  await stage.program.jump(8 * 60 * MINUTE_MS);
  await denied(runs(["printf", "hello", "four"]));
});

test("a rule lasts 15 minutes, for a task or until the day ends, and then the person is asked again", async ({
  stage,
}) => {
  const { agent, credentials } = await stage.connectedAgent();
  const main = await stage.open("permissions");
  const row = main.getByTestId("rule-row");
  const allowFor = async (time: string): Promise<void> => {
    await stage.open("permissions");
    await main.getByTestId("rule-new").click();
    await choose(main.getByTestId("rule-effect"), "allow");
    await choose(main.getByTestId("rule-covers"), "write_clipboard");
    await choose(main.getByTestId("rule-time"), time);
    await main.getByTestId("rule-save").click();
    await expect(row).toHaveCount(1);
  };
  const copied = (by: RunningAgent) => by.call("write_clipboard", { text: "A text to copy" });
  const asks = async (by: RunningAgent): Promise<void> => {
    const asked = copied(by);
    await stage.press("consent-deny");
    expect(await asked).toMatchObject(REFUSED);
    await expect(row).toHaveCount(0);
  };

  await allowFor("minutes");
  await stage.program.jump(14 * MINUTE_MS);
  expect(await copied(agent)).toHaveProperty("result");
  await stage.program.jump(MINUTE_MS);
  await asks(agent);

  await allowFor("task");
  expect(await copied(agent)).toHaveProperty("result");
  await agent.kill();
  await expect(async () => {
    await stage.program.jump(MINUTE_MS);
    await expect(row).toHaveCount(0, { timeout: 500 });
  }).toPass();
  const again = stage.newAgent();
  await again.init(credentials, MANIFEST);
  await asks(again);

  await allowFor("today");
  expect(await copied(again)).toHaveProperty("result");
  await stage.program.jump(DAY_MS);
  await asks(again);
});

test("rules go to a file and come back from it", async ({ stage }) => {
  await stage.connectedAgent();
  const main = await stage.open("permissions");
  await main.getByTestId("rule-new").click();
  await choose(main.getByTestId("rule-effect"), "deny");
  await choose(main.getByTestId("rule-covers"), "read_file");
  await main.getByTestId("rule-path").fill("/home/ada/secret");
  await main.getByTestId("rule-names").fill("*.key");
  await choose(main.getByTestId("rule-time"), "always");
  await main.getByTestId("rule-save").click();
  await expect(main.getByTestId("rule-row")).toHaveCount(1);
  const file = join(stage.home, "rules.json");
  await stage.program.saveAs(file, () => main.getByTestId("rules-export").click());
  await main.getByTestId("remove-rule").click();
  await expect(main.getByTestId("rule-row")).toHaveCount(0);

  const give = async (path: string): Promise<void> => {
    const choosing = main.waitForEvent("filechooser");
    await main.getByTestId("rules-import").click();
    await (await choosing).setFiles(path);
  };
  await give(file);
  await expect(main.getByTestId("rule-row-about")).toHaveText("*.key in /home/ada/secret");
  const broken = join(stage.home, "broken.json");
  writeFileSync(broken, "{}");
  await give(broken);
  await expect(main.getByTestId("failure")).toHaveAttribute("data-code", "file_unusable");
});

test("a profile asks about everything, or about nothing", async ({ stage }) => {
  const { agent } = await stage.connectedAgent();
  const main = await stage.open("settings");
  await choose(main.getByTestId("settings-profile"), "hands_off");
  await expect(main.getByTestId("profile-means")).toContainText(
    "What you would be asked about is denied",
  );
  const choice = main.getByTestId("settings-profile").getByRole("button");
  await expect(choice).toHaveAccessibleDescription(/What you would be asked about is denied/);
  expect(await agent.call("read_clipboard", {})).toMatchObject(REFUSED);
  await stage.noCard();
  await stage.logLine({ tool: "read_clipboard", "decided-by": "hands_off" });

  await stage.open("settings");
  await choose(main.getByTestId("settings-profile"), "ask_everything");
  await expect(main.getByTestId("profile-means")).toContainText("Every request is asked");
  await stage.open("home");
  const banner = main.getByTestId("profile-banner");
  await expect(banner).toHaveAttribute("data-profile", "ask_everything");
  const low = agent.call("send_notification", { title: "Hello" });
  await stage.press("consent-deny");
  expect(await low).toMatchObject(REFUSED);
  await choose(main.getByTestId("profile-banner-choice"), "everyday");
  await expect(banner).toHaveCount(0);
});
