import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { failureOf, rootAt } from "../../testing/tool-context.ts";
import { pathPlatform } from "../paths/path-rules.ts";
import { wordOf } from "../testing/file-harness.ts";
import { HOSTILE_GROUPS, hostilePath } from "../testing/hostile-paths/hostile-paths.ts";
import { placeOf } from "./change-preflight.ts";
import { ChangingHarness } from "./testing/changing-harness.ts";

const PLATFORM = pathPlatform(process.platform);
const GROUND = { platform: PLATFORM, ownData: [], homeTrash: "" };

const harness = new ChangingHarness();

afterAll(() => harness.remove());

/** No real file is put at risk: outside our folder, only the preflight is checked. */
const isOurs = (path: string): boolean => path.startsWith(harness.base);

describe("names and places that agents may come up with", () => {
  const away = HOSTILE_GROUPS.filter((group) => group[PLATFORM] !== "literal");

  it.each(away)("are refused, whatever is read or changed: $about", async (group) => {
    const before = [harness.names(), harness.outside()];
    const roots = [rootAt(harness.root, "read_write")];
    const file = harness.inside("file.txt");
    for (const form of group.paths) {
      const path = hostilePath(form, harness.base, PLATFORM);
      expect(await failureOf(() => placeOf(path, roots, GROUND))).toBe("outside_roots");
      if (!isOurs(path)) continue;
      const words = [
        harness.readWord(path),
        harness.listWord(path),
        wordOf(() => harness.look(path)),
        await failureOf(() => harness.write(path, "x")),
        await failureOf(() => harness.edit(path, [{ old_text: "outside", new_text: "x" }])),
        await failureOf(() => harness.make(path)),
        await failureOf(() => harness.make(path, true)),
        await failureOf(() => harness.move(file, path)),
        await failureOf(() => harness.move(path, harness.inside("taken"))),
        await failureOf(() => harness.trash(path)),
      ];
      expect([form, ...new Set(words)]).toEqual([form, group[PLATFORM]]);
    }
    expect([harness.names(), harness.outside()]).toEqual(before);
  });

  const literal = HOSTILE_GROUPS.filter((group) => group[PLATFORM] === "literal");

  it.for(literal)("are the very names they spell: $about", async (group, ctx) => {
    if (process.platform !== "linux") return ctx.skip("other systems take fewer names");
    for (const form of group.paths) {
      using own = new ChangingHarness();
      const path = hostilePath(form, own.base, PLATFORM);
      const outside = own.outside();
      const word = await failureOf(() => own.make(dirname(path), true));
      if (word === "invalid_path") continue;
      expect([form, word]).toEqual([form, "no failure"]);
      const written = await failureOf(() => own.write(path, "made"));
      // Too long for a name, or the place of the harness's own folder.
      if (["invalid_path", "is_a_directory", "is_a_root"].includes(written)) continue;
      expect([form, written]).toEqual([form, "no failure"]);
      expect(readFileSync(path, "utf8")).toBe("made");
      own.move(path, own.inside("moved"), { overwrite: true });
      expect([existsSync(path), own.read("moved")]).toEqual([false, "made"]);
      expect(own.outside()).toEqual(outside);
    }
  });
});
