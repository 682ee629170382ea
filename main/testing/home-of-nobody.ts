import { beforeEach, onTestFinished, vi } from "vitest";
import { scratchFolder } from "./scratch-folder.ts";

/** Where apps look for their settings. */
const PLACES = [
  "HOME",
  "USERPROFILE",
  "APPDATA",
  "XDG_CONFIG_HOME",
  "CODEX_HOME",
  "CLAUDE_CONFIG_DIR",
] as const;

/** Each test of this file has a home folder of its own, so it changes no settings of a real app. */
export function inHomeOfNobody(): void {
  beforeEach(() => {
    for (const name of PLACES) vi.stubEnv(name, scratchFolder());
    onTestFinished(() => void vi.unstubAllEnvs());
  });
}
