import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { choose } from "../support/choose.ts";
import { test } from "../support/fixtures.ts";
import { shoot } from "./shoot.ts";

const DEEP = `/home/ada/${"a-folder-with-a-long-name/".repeat(5)}reports`;

test("rules, their dialogs and a profile", async ({ stage, interfaceLanguage }) => {
  await stage.connectedAgent();
  const main = await stage.open("permissions");
  const write = async (path: string, names: string, effect: string) => {
    await main.getByTestId("rule-new").click();
    await choose(main.getByTestId("rule-effect"), effect);
    await choose(main.getByTestId("rule-covers"), "read_file");
    await main.getByTestId("rule-path").fill(path);
    await main.getByTestId("rule-names").fill(names);
  };
  await write(DEEP, "quarterly-report-*-of-the-whole-department-????.md", "deny");
  await shoot(main, interfaceLanguage, "rules-dialog");
  await main.getByTestId("rule-save").click();
  await write("/home/ada/notes", "*.md", "allow");
  await main.getByTestId("rule-save").click();
  await main.getByTestId("rule-row").nth(1).waitFor();
  await shoot(main, interfaceLanguage, "rules-page", main.getByTestId("rule-row").first());
  await main.getByTestId("rule-test").click();
  await choose(main.getByTestId("rule-test-tool"), "read_file");
  await main.getByTestId("rule-test-about").fill(`${DEEP}/quarterly-report-1-of-the.md`);
  await main.getByTestId("rule-test-go").click();
  await main.getByTestId("rule-test-result").waitFor();
  await shoot(main, interfaceLanguage, "rules-test");
  await main.keyboard.press("Escape");
  await stage.open("settings");
  await choose(main.getByTestId("settings-profile"), "hands_off");
  await stage.open("home");
  await shoot(main, interfaceLanguage, "rules-profile");
});

test("what a card gives, and a folder that was tried", async ({ stage, interfaceLanguage }) => {
  const folder = stage.folderWith({ "notes.md": "Buy milk.\n" });
  const { agent } = await stage.connectedAgent();
  const { cards, main } = stage.program;
  const call = agent.call("read_file", { path: join(folder, "notes.md") });
  await stage.card();
  await shoot(cards, interfaceLanguage, "given-folder");
  await cards.getByTestId("consent-root-change").click();
  await shoot(cards, interfaceLanguage, "given-file");
  await choose(cards.getByTestId("consent-root-what"), "folder");
  await stage.press("consent-allow-today");
  await call;
  const other = join(stage.home, "another-project-with-a-long-name/of-the-second-quarter");
  mkdirSync(other, { recursive: true });
  await agent.call("read_file", { path: join(other, "todo.md") });
  await main.getByTestId("tried-folder").waitFor();
  await shoot(main, interfaceLanguage, "tried-folder");
  await main.getByTestId("tried-folder-open").click();
  await shoot(main, interfaceLanguage, "tried-folder-dialog");
});
