import { expect } from "./fixtures.ts";
import type { Stage } from "./stage.ts";

const PATIENCE_SECONDS = "300";
/** For calls whose cards are looked at for long. */
export const PATIENT = { timeoutMs: 300_000 };

/** Has high requests wait as long as the person can make them, for what takes long to look at. */
export async function bePatient(stage: Stage): Promise<void> {
  const field = stage.program.main.getByTestId("settings-timeout");
  // What is typed is kept once the typing has rested.
  await expect(async () => {
    await stage.open("home");
    await stage.open("settings");
    const kept = await field.inputValue();
    await field.fill(PATIENCE_SECONDS);
    expect(kept).toBe(PATIENCE_SECONDS);
  }).toPass({ intervals: [1_000] });
  await stage.open("home");
}
