import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test as commandTest } from "./support/command-fixtures.ts";
import { expect, test } from "./support/fixtures.ts";

commandTest.describe("a start that cannot be", () => {
  commandTest("says which flag it cannot read, and ends with 2", async ({ commands }) => {
    for (const flags of [["--prot", "80"], ["--port", "99999"], ["--lang", "tlh"], ["stray"]]) {
      const command = commands.start(flags);
      expect(await command.exited, flags.join(" ")).toBe(2);
      expect(command.stderrLines).toHaveLength(2);
      expect(command.stderrLines[1]).toContain(flags[0]);
      expect(command.stdout).toBe("");
    }
  });

  commandTest(
    "says which flags there are when it is asked, and starts nothing",
    async ({ commands }) => {
      const command = commands.start(["--help"]);
      expect(await command.exited).toBe(0);
      expect(command.stdout + command.stderrLines.join("\n")).toContain("--data-dir FOLDER");
    },
  );

  commandTest("names a data folder that cannot be used", async ({ commands }) => {
    mkdirSync(commands.folder, { recursive: true });
    const file = join(commands.folder, "a-file");
    writeFileSync(file, "");
    for (const folder of [join(file, "data"), "/proc/nope/x"]) {
      const command = commands.start(["--data-dir", folder]);
      expect(await command.exited).toBe(1);
      expect(command.stderrLines.slice(1)).toEqual([
        `Consentry could not start (store_unwritable): The data folder cannot be used: ${folder}`,
      ]);
    }
  });
});

test("a page that is opened with a used key says where the program is, and offers to go there", async ({
  stage,
  page,
}) => {
  const { ui } = stage.program.ready;
  await page.goto(ui);
  const lost = page.getByTestId("lost-key");
  await expect(lost).toContainText(`It runs at ${new URL(ui).host}.`);
  await expect(page.getByTestId("nav-home")).toHaveCount(0);
  // The tests' program opens no browser, and says so.
  await lost.getByTestId("open-elsewhere").click();
  await expect(lost.getByRole("status")).toContainText("No browser could be opened");
  const loadedAgain = page.waitForEvent("load");
  await page.goto(ui.replace(/#token=.*/, "#token=never-given-out"));
  await loadedAgain;
  await expect(lost).toBeVisible();
  await expect(stage.program.main.getByTestId("nav-home")).toBeVisible();
});
