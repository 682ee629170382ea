import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Locator } from "@playwright/test";
import { expect, type Stage, test } from "./support/fixtures.ts";

const SCRIPT = `#!/bin/sh\n${"echo checked\n".repeat(81)}`;
const OLD_LINES = Array.from({ length: 200 }, (_, at) => `const value${at} = ${at};`);
const NEW_LINES = OLD_LINES.map((line) => line.replace("const", "let"));

/** In CSS pixels; 200 % zoom halves those of a window; the third is the consent window’s. */
const SIZES = [
  { width: 1280, height: 800 },
  { width: 640, height: 400 },
  { width: 560, height: 680 },
  { width: 360, height: 640 },
];

/** Two frames: what follows the size of the window has followed it. */
const settled = (card: Locator): Promise<unknown> =>
  card.evaluate(
    () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
  );

/** Whether a person sees all of it: inside the window, and nothing over any of its corners. */
const isInSight = (part: Locator): Promise<boolean> =>
  part.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) return false;
    const corners = [left + 1, right - 1].flatMap((x) => [top + 1, bottom - 1].map((y) => [x, y]));
    const isOver = (x: number, y: number): boolean => {
      const found = document.elementFromPoint(x, y);
      // A round corner is not the element's own.
      return found !== null && (element.contains(found) || found.contains(element));
    };
    return right > left && corners.every(([x = 0, y = 0]) => isOver(x, y));
  });

/** Measures what must be seen at once, and again with everything scrolled to its end. */
async function measure(stage: Stage, target: RegExp): Promise<void> {
  const card = await stage.card();
  const heading = card.getByRole("heading", { level: 2 });
  await expect(heading).toHaveText(target);
  for (const size of SIZES) {
    await stage.program.cards.setViewportSize(size);
    for (const end of [false, true]) {
      await card.evaluate((element, bottom) => {
        const body = element.querySelector('[data-testid="consent-body"]');
        for (const each of [element, body]) each?.scrollTo(0, bottom ? each.scrollHeight : 0);
      }, end);
      await settled(card);
      const parts = {
        heading,
        countdown: card.getByTestId("consent-countdown"),
        deny: card.getByTestId("consent-deny"),
        allow: card.getByTestId("consent-allow-once"),
      };
      for (const [name, part] of Object.entries(parts)) {
        const where = `${name} at ${size.width} × ${size.height}, ${end ? "end" : "start"}`;
        expect.soft(await isInSight(part), where).toBe(true);
      }
    }
  }
}

for (const language of ["en", "de", "zh-CN"]) {
  test.describe(language, () => {
    test.use({ interfaceLanguage: language });

    test("a long write or edit never hides what it is about, its time or its buttons", async ({
      stage,
    }) => {
      const folder = stage.folderWith({ "big.ts": `${OLD_LINES.join("\n")}\n` });
      const hook = join(folder, ".git", "hooks", "pre-commit");
      mkdirSync(dirname(hook), { recursive: true });
      writeFileSync(hook, "");
      const { agent } = await stage.connectedAgent();

      // The folder was not given yet: the path is absolute, and the card asks for the folder too.
      const written = agent.call("write_file", { path: hook, content: SCRIPT });
      await measure(stage, /\/for-the-agent\/\.git\/hooks\/pre-commit.*\+82 −0/);
      const card = await stage.card();
      await expect(card.locator('[data-mark="git_hook"]')).toBeVisible();
      await expect(card.locator('[data-mark="executable"]')).toBeVisible();
      await card.getByTestId("consent-root").fill(folder);
      await stage.press("consent-allow-once");
      expect(await written).toHaveProperty("result");

      const edits = OLD_LINES.map((line, at) => ({
        old_text: `${line}\n`,
        new_text: `${NEW_LINES[at]}\n`,
      }));
      const edited = agent.call("edit_file", { path: join(folder, "big.ts"), edits });
      await measure(stage, /(?:^|\s)for-the-agent\/big\.ts.*\+200 −200/);
      await stage.press("consent-deny");
      await edited;
    });
  });
}

test("arguments that the difference tells fold away, and unfold whole", async ({ stage }) => {
  const folder = stage.folderWith({ "notes.md": "Buy milk.\n" });
  const path = join(folder, "notes.md");
  const { agent } = await stage.connectedAgent();
  const content = `${"A line of the file.\n".repeat(300)}The last line.\n`;
  const written = agent.call("write_file", { path, content, if_exists: "replace" });
  const card = await stage.card();
  const shown = card.getByTestId("consent-arguments");
  await expect(shown).toContainText("if_exists");
  await expect(shown).not.toContainText("content");
  await card.getByTestId("consent-all-arguments").click();
  await expect(shown).toContainText(path);
  await expect(shown).toContainText("The last line.");
  await stage.press("consent-deny");
  await written;
});
