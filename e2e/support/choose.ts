import type { Locator } from "@playwright/test";

/** Opens a choice and takes one of its options. */
export async function choose(choice: Locator, word: string): Promise<void> {
  await choice.getByRole("button").click();
  await choice.page().locator(`[role="option"][data-choice="${word}"]`).click();
}
