import { existsSync, mkdirSync, renameSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { scratchFolder } from "../testing/scratch-folder.ts";
import { runCommand } from "./command-line.ts";

const { app, profile, hook } = vi.hoisted(() => {
  const profile = { path: "" };
  const setPath = (_: string, path: string) => {
    profile.path = path;
  };
  const app = { setPath, disableHardwareAcceleration: () => {} };
  return { app, profile, hook: { run: () => {} } };
});
vi.mock("electron", () => ({ app }));
vi.mock("../channels/hooks/run-hook.ts", () => ({
  runHook: async () => {
    hook.run();
    return 0;
  },
}));

let temporary: string;
beforeEach(() => {
  temporary = join(scratchFolder(), "temporary");
  mkdirSync(temporary);
  vi.stubEnv("TMPDIR", temporary);
  return () => vi.unstubAllEnvs();
});

describe.skipIf(process.platform === "win32")("a command of the packaged program", () => {
  test("has a profile of its own while it runs", async () => {
    let existed = false;
    hook.run = () => {
      existed = existsSync(profile.path);
    };
    expect(await runCommand("hook", [])).toBe(0);
    expect([existed, existsSync(profile.path)]).toEqual([true, false]);
  });

  test("answers the same where its profile cannot be removed", async () => {
    hook.run = () => {
      renameSync(temporary, `${temporary}-aside`);
      symlinkSync(temporary, temporary);
    };
    expect(await runCommand("hook", [])).toBe(0);
  });
});
