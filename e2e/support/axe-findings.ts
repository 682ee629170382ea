import type { Page } from "@playwright/test";
import axe from "axe-core";

/** What a look may change is judged in each; the rest in the first. */
const COLOUR_RULES = ["color-contrast", "link-in-text-block"];
const ALL_RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];

/** The looks a person may have chosen for their system. */
const LOOKS = [
  { name: "light", media: { colorScheme: "light", forcedColors: "none" }, runOnly: ALL_RULES },
  { name: "dark", media: { colorScheme: "dark", forcedColors: "none" }, runOnly: COLOUR_RULES },
  {
    name: "forced colours",
    media: { colorScheme: "dark", forcedColors: "active" },
    runOnly: COLOUR_RULES,
  },
] as const;

/** What axe finds on the page as it stands, in every look, as `place, look: rule: selector`. */
export async function axeFindings(page: Page, place: string): Promise<readonly string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axe.source);
  const found: string[] = [];
  for (const { name, media, runOnly } of LOOKS) {
    await page.emulateMedia(media);
    for (const finding of await run(page, [...runOnly]))
      found.push(`${place}, ${name}: ${finding}`);
  }
  await page.emulateMedia({ colorScheme: null, forcedColors: null });
  return found;
}

const run = (page: Page, runOnly: string[]): Promise<readonly string[]> =>
  page.evaluate(async (rules) => {
    const { axe } = globalThis as unknown as { axe: typeof import("axe-core") };
    // A colour that fades in is not the one to be judged. What never ends cannot be finished.
    for (const animation of document.getAnimations()) {
      const isEndless = animation.effect?.getComputedTiming().endTime === Number.POSITIVE_INFINITY;
      if (isEndless) animation.cancel();
      else animation.finish();
    }
    // React Aria's announcements outlive the elements they name by some seconds.
    const page = { exclude: ["[data-live-announcer]"] };
    const { violations } = await axe.run(page, {
      runOnly: rules,
      resultTypes: ["violations"],
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")} ${failureSummary}`),
    );
  }, runOnly);
