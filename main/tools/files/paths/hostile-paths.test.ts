import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { FileHarness, outcomeOf } from "../testing/file-harness.ts";
import type { PathVerdict } from "../testing/hostile-paths/hostile-group.ts";
import {
  HOSTILE_BASE,
  HOSTILE_GROUPS,
  hostilePath,
} from "../testing/hostile-paths/hostile-paths.ts";
import { folderPreflight } from "./folder-preflight.ts";
import {
  checkPath,
  componentsBelow,
  formatPath,
  type PathPlatform,
  pathPlatform,
} from "./path-rules.ts";

const PLATFORMS: readonly PathPlatform[] = ["posix", "darwin", "win32"];
const FORMS = HOSTILE_GROUPS.flatMap(({ paths }) => paths);

it("there are at least three hundred different forms", () => {
  expect(new Set(FORMS).size).toBe(FORMS.length);
  expect(FORMS.length).toBeGreaterThanOrEqual(300);
});

describe.each(PLATFORMS)("by the rules of %s", (platform) => {
  const separator = platform === "win32" ? "\\" : "/";
  const rootPath = `${HOSTILE_BASE[platform]}${separator}root`;
  const root = { root_id: "r", path: rootPath, access: "read", added_at: 0 } as const;

  function verdictOn(path: string): PathVerdict {
    const checked = checkPath(path, platform);
    if (!checked.ok) return checked.word;
    return componentsBelow(rootPath, path, platform) === null ? "outside_roots" : "literal";
  }

  it.each(HOSTILE_GROUPS)("$about", (group) => {
    for (const form of group.paths) {
      const path = hostilePath(form, HOSTILE_BASE[platform], platform);
      const verdict = group[platform];
      expect([form, verdictOn(path)]).toEqual([form, verdict]);
      // The person is not asked about an impossible path, and the answer says why.
      const refused = verdict === "literal" ? null : { kind: "refuse", word: verdict };
      expect([form, folderPreflight(path, [root], platform, "parent")]).toEqual([form, refused]);
      if (verdict === "literal") expectLiteral(path);
    }
  });

  /** Every character is unchanged, and in the same component. */
  function expectLiteral(path: string): void {
    const names = path.slice(rootPath.length).split(platform === "win32" ? /[\\/]/ : "/");
    expect(componentsBelow(rootPath, path, platform)).toEqual(names.slice(1));
    const checked = checkPath(path, platform);
    const written = checked.ok ? formatPath(checked.path, platform) : "";
    const spelled = platform === "win32" ? written.replaceAll("/", "\\") : path;
    expect(written).toBe(spelled);
  }
});

describe("tried for real, with a secret beside the root", () => {
  const PLATFORM = pathPlatform(process.platform);
  const harness = new FileHarness();

  afterAll(() => harness.remove());

  const waysToOpen = (path: string) => [
    () => harness.text(path),
    () => harness.lines(path, 1).content,
    () => harness.list(path),
    () => harness.look(path),
    () => harness.search({ path, text: "side" }),
  ];

  it.each(HOSTILE_GROUPS)("$about", (group) => {
    for (const form of group.paths) {
      const path = hostilePath(form, harness.base, PLATFORM);
      for (const open of waysToOpen(path)) {
        const outcome = outcomeOf(open);
        expect(`${form}: ${outcome}`).not.toMatch(/outside"|root-evil"/);
        if (group[PLATFORM] !== "literal") expect([form, outcome]).toEqual([form, group[PLATFORM]]);
      }
    }
  });

  it.for(HOSTILE_GROUPS.filter((group) => group[PLATFORM] === "literal"))(
    "reads a file of that very name: $about",
    (group, ctx) => {
      if (process.platform !== "linux") return ctx.skip("other systems take fewer names");
      for (const form of group.paths) expect([form, readNew(form)]).toEqual([form, "made"]);
    },
  );

  /**
   * What is read from a file created under that name; "made" if the system does not allow the name.
   */
  function readNew(form: string): string {
    using own = new FileHarness();
    const path = hostilePath(form, own.base, "posix");
    try {
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, "made");
    } catch (error) {
      expect(error).toMatchObject({ code: "ENAMETOOLONG" });
      expect(own.readWord(path)).toBe("invalid_path");
      return "made";
    }
    return own.text(path);
  }
});
