import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it } from "vitest";
import { toolFailure } from "../../../../app/execution/ports.ts";
import { failureOf } from "../../testing/tool-context.ts";
import { type SharedNumbers, sharedNumbers } from "../shared-numbers.ts";
import { isTemporaryName } from "./put-file.ts";
import { ChangingHarness, stopped } from "./testing/changing-harness.ts";
import { watchSteps } from "./testing/watch-steps.ts";

const PROGRAM = fileURLToPath(new URL("./testing/write-until-killed.ts", import.meta.url));

const houses: ChangingHarness[] = [];

afterEach(() => {
  for (const harness of houses.splice(0)) harness.remove();
});

/** More than is written in one step. */
const OLD = "old\n".repeat(100_000);
const NEW = "new\n".repeat(100_000);

type MakeChange = (harness: ChangingHarness, stop: SharedNumbers) => unknown;

const CHANGES: readonly (readonly [what: string, MakeChange])[] = [
  ["replaces a file", (at, stop) => at.write(at.inside("f"), NEW, {}, stop)],
  ["creates a file", (at, stop) => at.write(at.inside("new"), NEW, { ifExists: "fail" }, stop)],
  ["edits a file", (at, stop) => at.edit(at.inside("f"), [EVERY_LINE], {}, stop)],
  ["moves a file", (at, stop) => at.move(at.inside("f"), at.inside("folder", "new"), {}, stop)],
  ["moves a folder", (at, stop) => at.move(at.inside("folder"), at.inside("moved"), {}, stop)],
  ["deletes a file", (at, stop) => at.trash(at.inside("f"), {}, stop)],
];

const EVERY_LINE = { old_text: "old", new_text: "new", replace_all: true };

function prepared(): ChangingHarness {
  const harness = new ChangingHarness();
  houses.push(harness);
  writeFileSync(harness.inside("f"), OLD);
  mkdirSync(harness.homeTrash, { recursive: true, mode: 0o700 });
  return harness;
}

/** Every file in the root and the trash with its content, except temporary ones. */
function filesOf(harness: ChangingHarness): ReadonlySet<string> {
  const trashed = `${harness.homeTrash}/files`;
  const entries = [harness.root, trashed]
    .filter(existsSync)
    .flatMap((top) => readdirSync(top, { recursive: true, withFileTypes: true }));
  const files = entries.filter((entry) => entry.isFile() && !isTemporaryName(entry.name));
  const lines = files.map(({ parentPath, name }) => {
    const path = `${parentPath}/${name}`;
    return `${path.slice(harness.base.length)}: ${brief(readFileSync(path, "utf8"))}`;
  });
  return new Set(lines);
}

const both = <T>(one: ReadonlySet<T>, other: ReadonlySet<T>): ReadonlySet<T> =>
  new Set([...one, ...other]);

const brief = (text: string): string => {
  if (text === OLD) return "OLD";
  return text === NEW ? "NEW" : text;
};

const temporaries = (harness: ChangingHarness): string[] =>
  harness.names().filter((name) => isTemporaryName(name.slice(name.lastIndexOf("/") + 1)));

/**
 * Makes the change, calling `before` ahead of each step; returns the word it fails with, or the
 * result.
 */
async function changing(
  harness: ChangingHarness,
  make: MakeChange,
  before: Before,
): Promise<string> {
  const stop = sharedNumbers();
  const end = watchSteps((step, name) => before(step, stop, name));
  try {
    await make(harness, stop);
    return "no failure";
  } catch (error) {
    return toolFailure.is(error) ? error.code : String(error);
  } finally {
    end();
  }
}

type Before = (step: number, stop: Int32Array, name: string) => void;

async function stepsOf(make: MakeChange): Promise<number> {
  let steps = 0;
  await changing(prepared(), make, (step) => {
    steps = step;
  });
  return steps;
}

describe("a program that is killed while it", () => {
  // From the fatal step on, nothing more happens: like SIGKILL, but in this process.
  it.each(CHANGES)("%s leaves what was there or what shall be, never a part", async (_, make) => {
    const whole = prepared();
    const before = filesOf(whole);
    await changing(whole, make, () => undefined);
    const after = filesOf(whole);
    expect(after).not.toEqual(before);
    const steps = await stepsOf(make);
    const seen = new Set<ReadonlySet<string>>();
    for (let fatal = 1; fatal <= steps; fatal += 1) {
      const harness = prepared();
      await changing(harness, make, (step) => {
        if (step >= fatal) throw new Error("killed");
      });
      const left = filesOf(harness);
      // A move interrupted in between may leave the file with both names, but no others.
      expect([before, after, both(before, after)]).toContainEqual(left);
      seen.add(left);
      const lost = [...before].filter((line) => line.includes("OLD")).length;
      expect([...left].filter((line) => /OLD|NEW/u.test(line)).length).toBeGreaterThanOrEqual(lost);
    }
    expect([...seen]).toContainEqual(before);
    expect([...seen]).toContainEqual(after);
  });

  it("writes, by SIGKILL itself, leaves the old file or the new one", async (ctx) => {
    if (process.platform === "win32") return ctx.skip("Windows has no SIGKILL");
    const steps = await stepsOf((at, stop) => at.write(at.inside("f"), NEW, {}, stop));
    const left = new Set<string>();
    for (let fatal = 1; fatal <= steps; fatal += 1) {
      const harness = prepared();
      writeFileSync(harness.beside("new"), NEW);
      expect(await dies(harness, fatal)).toBe("SIGKILL");
      left.add(brief(harness.read("f")));
      harness.write(harness.inside("f"), "again");
      expect(harness.read("f")).toBe("again");
    }
    expect([...left].toSorted()).toEqual(["NEW", "OLD"]);
  }, 60_000);

  function dies(harness: ChangingHarness, fatal: number): Promise<string | null> {
    const args = [harness.root, harness.inside("f"), harness.beside("new"), String(fatal)];
    const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: "inherit" });
    return new Promise((resolve) => child.once("exit", (_code, signal) => resolve(signal)));
  }
});

describe("a change that is asked to stop", () => {
  it.each(CHANGES)("before it %s touches nothing", async (_, make) => {
    const harness = prepared();
    const before = [harness.names(), filesOf(harness)];
    expect(await failureOf(() => make(harness, stopped()))).toBe("cancelled");
    expect([harness.names(), filesOf(harness)]).toEqual(before);
  });

  it.each(CHANGES)("while it %s leaves no trace, or is made", async (_, make) => {
    const steps = await stepsOf(make);
    for (let last = 1; last <= steps; last += 1) {
      const harness = prepared();
      const before = filesOf(harness);
      const word = await changing(harness, make, (step, stop) => {
        if (step === last) Atomics.store(stop, 0, 1);
      });
      expect(["cancelled", "no failure"]).toContain(word);
      expect(temporaries(harness)).toEqual([]);
      if (word === "cancelled") expect(filesOf(harness)).toEqual(before);
      else expect(filesOf(harness)).not.toEqual(before);
    }
  });
});

describe("a step that fails", () => {
  // Not for the trash: if one fails, the real volume's own trash would be tried.
  const ours = CHANGES.filter(([what]) => what !== "deletes a file");

  it.each(ours)("while a program %s loses nothing and leaves nothing", async (_, make) => {
    const steps = await stepsOf(make);
    for (let bad = 1; bad <= steps; bad += 1) {
      const harness = prepared();
      const before = filesOf(harness);
      let failed = "";
      const word = await changing(harness, make, (step, _stop, name) => {
        if (step !== bad) return;
        failed = name;
        throw Object.assign(new Error("disk"), { code: "EIO" });
      });
      expect(["io_error", "no failure"]).toContain(word);
      if (word !== "no failure")
        expect(filesOf(harness)).toEqual(failedState(failed, harness, before));
      // One that cannot even be removed is removed by a later write.
      if (failed !== "unlinkSync") expect(temporaries(harness)).toEqual([]);
    }
  });

  /** A file that got its new name but could not lose the old one has both. */
  const failedState = (failed: string, harness: ChangingHarness, before: ReadonlySet<string>) =>
    failed === "unlinkSync" ? both(filesOf(harness), before) : before;
});
