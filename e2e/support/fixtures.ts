import { type Browser, test as base, expect } from "@playwright/test";
import { electronBinary } from "./electron-binary.ts";
import { type HostUnderTest, startProgram } from "./program.ts";
import { Stage } from "./stage.ts";
import { canHideSandboxes } from "./without-sandbox.ts";

/** Playwright's own. */
const USUAL_SIZE = { width: 1_280, height: 720 };

export interface HostOption {
  readonly host: HostUnderTest;
}

export interface TestFixtures {
  readonly stage: Stage;
  /** Starts a program of another person's, with these flags. */
  readonly anotherStage: (...flags: readonly string[]) => Promise<Stage>;
  readonly interfaceLanguage: string;
  readonly keepsProfile: boolean;
  /** The size of the data folder's own disk in MiB; null: it has none. */
  readonly diskMebibytes: number | null;
  /** Whether commands have a sandbox, where this computer has one. */
  readonly hasSandbox: boolean;
}

export const test = base.extend<TestFixtures, HostOption>({
  host: ["browser", { option: true, scope: "worker" }],
  keepsProfile: [false, { option: true }],
  diskMebibytes: [null, { option: true }],
  hasSandbox: [true, { option: true }],
  interfaceLanguage: ["en", { option: true }],
  stage: async ({ anotherStage }, use) => use(await anotherStage()),
  anotherStage: async (
    { browser, host, keepsProfile, diskMebibytes, hasSandbox, interfaceLanguage: language },
    use,
  ) => {
    const options = { browser, host, keepsProfile, diskMebibytes, hasSandbox, language };
    const stages: Stage[] = [];
    await use(async (...flags) => {
      const stage = await openStage(options, flags);
      stages.push(stage);
      return stage;
    });
    for (const stage of stages) await printIfFailed(stage);
    await Promise.all(stages.map(closeStage));
  },
});

interface StageOptions extends HostOption {
  readonly browser: Browser;
  readonly keepsProfile: boolean;
  readonly diskMebibytes: number | null;
  readonly hasSandbox: boolean;
  readonly language: string;
}

async function openStage(
  { keepsProfile, diskMebibytes, ...options }: StageOptions,
  flags: readonly string[] = [],
): Promise<Stage> {
  const electronPath = electronBinary();
  const isAbsent = options.host === "electron" && electronPath === null;
  test.skip(isAbsent, "no Electron binary on this machine");
  const cannotHide = !options.hasSandbox && (options.host !== "browser" || !canHideSandboxes());
  test.skip(cannotHide, "the sandbox of commands cannot be hidden here");
  const stage = new Stage(
    (place) => startProgram({ ...place, ...options, electronPath }),
    keepsProfile,
  );
  const hasDisk = diskMebibytes === null || stage.mountSmallDisk(diskMebibytes);
  test.skip(!hasDisk, "this account may mount no disk");
  stage.flags.push(...flags);
  await stage.start();
  return stage;
}

/** What a person would see: a failure in CI leaves nothing but its output. */
async function printIfFailed({ program }: Stage): Promise<void> {
  const { title, errors } = test.info();
  if (errors.length === 0) return;
  for (const page of new Set([program.main, program.cards])) {
    const seen = await page.ariaSnapshot({ timeout: 5_000 }).catch(String);
    console.log(`${title}: ${page.url()}\n${seen}`);
  }
}

async function closeStage(stage: Stage): Promise<void> {
  const stored = stage.wordsStored();
  await stage.end();
  expect(stored).toEqual([]);
}

/**
 * For tests that get along with what the ones before them left behind: one program for all of the
 * group it is called in, which then run in their order.
 */
export function sharedStage(): () => Stage {
  let shared: Stage | undefined;
  test.describe.configure({ mode: "serial" });
  test.beforeAll(async ({ browser, host }) => {
    shared = await openStage({
      browser,
      host,
      keepsProfile: false,
      diskMebibytes: null,
      hasSandbox: true,
      language: "en",
    });
  });
  test.beforeEach(async () => {
    const main = await shared?.open("home");
    await main?.setViewportSize(USUAL_SIZE);
  });
  test.afterEach(async () => {
    if (shared !== undefined) await printIfFailed(shared);
  });
  test.afterAll(async () => {
    if (shared !== undefined) await closeStage(shared);
  });
  return () => {
    if (shared === undefined) throw new Error("the program was not started");
    return shared;
  };
}

export { expect };
