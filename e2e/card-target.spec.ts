import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Locator } from "@playwright/test";
import { expect, test } from "./support/fixtures.ts";
import { bePatient, PATIENT } from "./support/patience.ts";
import type { Stage } from "./support/stage.ts";

const SCRIPT = `#!/bin/sh\n${"echo checked\n".repeat(81)}`;
const LINES = Array.from({ length: 200 }, (_, at) => `const value${at} = ${at};\n`);
const EDITS = LINES.map((line) => ({ old_text: line, new_text: line.replace("const", "let") }));

/** In CSS pixels; 200 % zoom halves those of a window; the third is the consent window's. */
const SIZES = [
  { width: 1280, height: 800 },
  { width: 640, height: 400 },
  { width: 560, height: 680 },
  { width: 360, height: 640 },
];

/**
 * What of a card nobody would see: beyond the window, or below something else. Where the card scrolls,
 * it is looked at from its beginning and from its end.
 */
const unseenParts = (card: Locator): Promise<string[]> =>
  card.evaluate(async (element) => {
    const PARTS = {
      heading: "h2",
      countdown: '[data-testid="consent-countdown"]',
      deny: '[data-testid="consent-deny"]',
      allow: '[data-testid="consent-allow-once"]',
    };
    const isSeen = (part: Element): boolean => {
      const { left, right, top, bottom } = part.getBoundingClientRect();
      if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight) return false;
      const isOnTop = (y: number): boolean => {
        const found = document.elementFromPoint((left + right) / 2, y);
        return found !== null && (part.contains(found) || found.contains(part));
      };
      return right > left && bottom > top && [top + 2, bottom - 2].every(isOnTop);
    };
    const body = element.querySelector('[data-testid="consent-body"]');
    const unseen: string[] = [];
    for (const end of ["start", "end"]) {
      for (const each of [element, body]) each?.scrollTo(0, end === "end" ? each.scrollHeight : 0);
      // Two frames: what follows the sizes and the scrolling has followed them.
      await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
      for (const [name, selector] of Object.entries(PARTS)) {
        const part = element.querySelector(selector);
        if (part === null || !isSeen(part)) unseen.push(`${name} at its ${end}`);
      }
    }
    return unseen;
  });

async function expectInSight(stage: Stage, target: RegExp): Promise<void> {
  const card = await stage.card();
  await expect(card.getByRole("heading", { level: 2 })).toHaveText(target);
  for (const size of SIZES) {
    await stage.program.cards.setViewportSize(size);
    expect.soft(await unseenParts(card), `${size.width} × ${size.height}`).toEqual([]);
  }
}

for (const language of ["en", "de", "zh-CN"]) {
  test.describe(language, () => {
    test.use({ interfaceLanguage: language });
    test.setTimeout(180_000);

    test("a card never hides what it is about, its time or its buttons", async ({
      stage,
      host,
    }) => {
      const isDouble = host === "electron-double";
      test.skip(isDouble && language !== "de", "its texts are the longest");
      const folder = stage.folderWith({ "big.ts": LINES.join("") });
      const hooks = join(folder, ".git", "hooks");
      mkdirSync(hooks, { recursive: true });
      const { agent } = await stage.connectedAgent();
      await bePatient(stage);

      // Names made to push everything else away.
      const long = { from: join(folder, "W".repeat(250)), to: join(folder, "\u202e".repeat(80)) };
      const moved = agent.call("move_file", long, PATIENT);
      await expectInSight(stage, /WWWW…WWWW.*\\u\{202e\}…\\u\{202e\}/);
      await stage.press("consent-deny");
      await moved;

      // The folder was not given yet: the path is absolute, and the card asks for the folder too.
      const path = join(hooks, "pre-commit");
      const written = agent.call("write_file", { path, content: SCRIPT }, PATIENT);
      await expectInSight(stage, /\/for-the-agent\/\.git\/hooks\/pre-commit.*\+82 −0/);
      const card = await stage.card();
      await expect(card.locator('[data-mark="git_hook"]')).toBeVisible();
      await expect(card.locator('[data-mark="executable"]')).toBeVisible();
      await stage.choosesFolder("always", folder);
      await stage.press("consent-allow-always");
      expect(await written).toHaveProperty("result");

      const big = { path: join(folder, "big.ts"), edits: EDITS };
      const edited = agent.call("edit_file", big, PATIENT);
      await expectInSight(stage, /(?:^|\s)for-the-agent\/big\.ts.*\+200 −200/);
      await stage.press("consent-deny");
      await edited;
    });
  });
}

test("arguments that the difference tells are among the details, whole", { tag: "@once" }, async ({
  stage,
}) => {
  const folder = stage.folderWith({ "notes.md": "Buy milk.\n" });
  const path = join(folder, "notes.md");
  const { agent } = await stage.connectedAgent();
  const content = `${"A line of the file.\n".repeat(300)}The last line.\n`;
  const written = agent.call("write_file", { path, content, if_exists: "replace" });
  const card = await stage.card();
  const shown = card.getByTestId("consent-arguments");
  await expect(shown).toContainText("if_exists");
  await expect(shown).not.toContainText("content");
  const all = card.getByTestId("consent-all-arguments");
  await expect(all).toBeHidden();
  await card.getByTestId("consent-details").locator("summary").click();
  await expect(all).toBeVisible();
  await expect(all).toContainText(path);
  await expect(all).toContainText("The last line.");
  await stage.press("consent-deny");
  await written;
});
