import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chownSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const PROJECT = fileURLToPath(new URL("../../../", import.meta.url));
const VITEST = join(PROJECT, "node_modules", "vitest", "vitest.mjs");
/** Tests of sandboxes and of what runs in them. */
const FILES = [
  "main/tools/command/sandboxed-command.test.ts",
  "main/tools/command/landlocked-command.test.ts",
  "main/tools/run-command.test.ts",
];

/** The account that owns nothing ("nobody"). */
const NOBODY = { uid: 65_534, gid: 65_534 };

interface Report {
  readonly testResults: readonly {
    readonly assertionResults: readonly { readonly status: string; readonly fullName: string }[];
  }[];
}

const isRoot = process.getuid?.() === 0;
/** Nobody else can read a project in root's home folder. */
const isReadable = (): boolean =>
  spawnSync(process.execPath, [VITEST, "--version"], { ...NOBODY, cwd: PROJECT }).status === 0;

// Skipped if the tests already run as an ordinary user, or if other users cannot read the project.
describe.skipIf(!isRoot || !isReadable())(
  "for an ordinary user (needs root, to become one)",
  () => {
    const places = mkdtempSync(join(tmpdir(), "consentry-nobody-"));
    let report: Report;

    beforeAll(async () => {
      const [home = "", temporary = ""] = ["home", "tmp"].map((name) => join(places, name));
      for (const folder of [places, home, temporary]) {
        mkdirSync(folder, { recursive: true });
        chownSync(folder, NOBODY.uid, NOBODY.gid);
      }
      const said = join(temporary, "report.json");
      // By default the bundled config is written into the project, where only we may write.
      const how = ["--configLoader", "runner", "--reporter=json", `--outputFile.json=${said}`];
      const env = { PATH: process.env.PATH, HOME: home, TMPDIR: temporary };
      const options = { ...NOBODY, cwd: PROJECT, env, stdio: "ignore" } as const;
      await once(spawn(process.execPath, [VITEST, "run", ...how, ...FILES], options), "close");
      report = JSON.parse(readFileSync(said, "utf8")) as Report;
    }, 180_000);
    afterAll(() => rmSync(places, { recursive: true, force: true }));

    const testsThat = (status: string) =>
      report.testResults
        .flatMap(({ assertionResults }) => assertionResults)
        .filter((each) => each.status === status)
        .map(({ fullName }) => fullName);

    it("all that a command may, and what a sandbox keeps it from, holds as it does for root", (ctx) => {
      expect(testsThat("failed")).toEqual([]);
      const passed = testsThat("passed");
      expect(passed.some((name) => name.includes("without a sandbox"))).toBe(true);
      const isKeptIn = passed.some((name) => /^(?:inside bubblewrap|behind Landlock)/u.test(name));
      if (!isKeptIn) ctx.skip("no sandbox works for an ordinary user here");
    });
  },
);
