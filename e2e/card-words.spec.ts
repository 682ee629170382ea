import type { Locator } from "@playwright/test";
import { expect, test } from "./support/fixtures.ts";
import { HookedAgent } from "./support/hooked-agent.ts";

const AT_MOST = 40;
/** In CSS pixels: a window of 1280 × 800 at 200 %, and a narrow one. */
const SIZES = [
  { width: 640, height: 400 },
  { width: 380, height: 640 },
];
const COMMAND = "git status --short";

/**
 * The words that a person sees, the command's included; not the letters on the buttons, nor what only
 * screen readers are told. A browser without a language's fonts draws our labels as escapes: they are
 * counted as what they stand for.
 */
async function words(card: Locator, language: string): Promise<readonly string[]> {
  const seen = await card.evaluate((element) => {
    const unseen = [...element.querySelectorAll(".unseen")].map((each) => each.textContent ?? "");
    // biome-ignore lint/performance/useDomNodeTextContent: only what is drawn counts
    const text = element instanceof HTMLElement ? element.innerText : "";
    return unseen.reduce((left, part) => (part === "" ? left : left.replace(part, "")), text);
  });
  const text = seen.replace(/\\u\{(\w+)\}/g, (_, hex) => String.fromCodePoint(parseInt(hex, 16)));
  const segments = new Intl.Segmenter(language, { granularity: "word" }).segment(text);
  return [...segments].filter((each) => each.isWordLike).map((each) => each.segment);
}

/** Whether all of it is in the window, with nothing over it, in letters of at least 12 px. */
const isReadable = (part: Locator): Promise<boolean> =>
  part.evaluate((element) => {
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const isOnTop = (x: number, y: number): boolean => {
      const found = document.elementFromPoint(x, y);
      return found !== null && (element.contains(found) || found.contains(element));
    };
    const isWhole = element.scrollWidth <= element.clientWidth;
    const isLarge = Number.parseFloat(getComputedStyle(element).fontSize) >= 12;
    const isInside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
    const middle = (top + bottom) / 2;
    const corners = [top + 2, middle, bottom - 2].map((y) => isOnTop((left + right) / 2, y));
    return isWhole && isLarge && isInside && right > left && corners.every(Boolean);
  });

for (const language of ["en", "de", "zh-CN"]) {
  test.describe(language, () => {
    test.use({ interfaceLanguage: language });

    test("a plain command's card has at most 40 words, and is read at a glance", async ({
      stage,
    }) => {
      const agent = new HookedAgent(stage, stage.folderWith({ "cart.ts": "" }));
      await agent.connect();
      const description = "Show the working tree";
      const asked = agent.asks("Bash", { command: COMMAND, description });
      const card = await stage.card();
      const block = card.getByTestId("consent-block");
      await expect(block).toHaveText(COMMAND);
      await expect(card.getByTestId("consent-said")).toHaveText(description);
      await expect(card.getByTestId("consent-facts")).toHaveText(/.+ · .+ · .+/);
      await expect(card.getByTestId("consent-gives")).toHaveText(/.+/);
      const read = await words(card, language);
      expect(read.length, read.join(" ")).toBeLessThanOrEqual(AT_MOST);
      // All of it was counted.
      expect(read).toEqual(expect.arrayContaining(["Claude", "git", "status", "working"]));

      for (const size of SIZES) {
        await stage.program.cards.setViewportSize(size);
        const target = [card.getByRole("heading", { level: 2 }), block];
        const answers = ["consent-deny", "consent-allow-once"].map((id) => card.getByTestId(id));
        for (const part of [...target, ...answers]) {
          await expect
            .poll(() => isReadable(part), `${part} at ${size.width} × ${size.height}`)
            .toBe(true);
        }
      }
      await stage.press("consent-deny");
      await asked;
    });
  });
}
