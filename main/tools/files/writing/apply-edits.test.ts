import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { EDIT_FILE_MAX_BYTES } from "../../../../app/contract/tools/edit-file.ts";
import { applyEdits, findText } from "../../edit-file.ts";
import { wordOf } from "../testing/file-harness.ts";

const edit = (old_text: string, new_text: string, replace_all?: boolean) =>
  replace_all === undefined ? { old_text, new_text } : { old_text, new_text, replace_all };

describe("edits", () => {
  it("are made in order, each in what the one before left", () => {
    const edits = [edit("a", "b"), edit("bc", "d"), edit("d", "")];
    expect(applyEdits("ac", edits)).toEqual({ text: "", replacements: 3 });
  });

  it("need their text exactly once", () => {
    const word = (text: string, old: string) => wordOf(() => applyEdits(text, [edit(old, "x")]));
    expect(word("abc", "d")).toBe("text_not_found");
    expect(word("a\r\nb\n", "a\nb")).toBe("text_not_found");
    expect(word("abab", "ab")).toBe("text_not_unique");
    expect(word("aaa", "aa")).toBe("text_not_unique");
    expect(word("ab", "ab")).toBe("no failure");
  });

  it("replace all from the left when asked to, without what overlaps", () => {
    expect(applyEdits("aaa", [edit("aa", "b", true)])).toEqual({ text: "ba", replacements: 1 });
    expect(applyEdits("a.a.a", [edit("a", "$&", true)])).toEqual({
      text: "$&.$&.$&",
      replacements: 3,
    });
    const nothing = () => applyEdits("abc", [edit("d", "x", true)]);
    expect(wordOf(nothing)).toBe("text_not_found");
  });

  it("fail before a text becomes larger than a file may be", () => {
    const text = "a".repeat(1000);
    const grow = () => applyEdits(text, [edit("a", "b".repeat(2000), true)]);
    expect(wordOf(grow)).toBe("too_large");
    const most = applyEdits(text, [edit("a", "b".repeat(EDIT_FILE_MAX_BYTES / 1024), true)]);
    expect(most.replacements).toBe(1000);
  });

  it("give what the standard functions give", () => {
    const few = fc.string({ unit: fc.constantFrom("a", "b", "\n", "é", "😀"), maxLength: 60 });
    const sought = fc.string({
      unit: fc.constantFrom("a", "b", "\n", "😀"),
      minLength: 1,
      maxLength: 4,
    });
    fc.assert(
      fc.property(few, sought, few, (text, old, by) => {
        const all = () => applyEdits(text, [edit(old, by, true)]);
        const one = () => applyEdits(text, [edit(old, by)]);
        if (!text.includes(old)) {
          expect([wordOf(all), wordOf(one)]).toEqual(["text_not_found", "text_not_found"]);
          return;
        }
        expect(all().text).toBe(text.replaceAll(old, () => by));
        if (text.indexOf(old) !== text.lastIndexOf(old))
          expect(wordOf(one)).toBe("text_not_unique");
        else expect(one().text).toBe(text.replace(old, () => by));
      }),
      { numRuns: 1000 },
    );
  });
});

describe("finding a text", () => {
  it("finds what a look at every place finds, overlapping or not", () => {
    const few = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 40 });
    const sought = fc.string({ unit: fc.constantFrom("a", "b"), minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(few, sought, fc.integer({ min: 1, max: 5 }), (text, wanted, most) => {
        const every = [...text].flatMap((_, at) => (text.startsWith(wanted, at) ? [at] : []));
        expect(findText(text, wanted, true, most)).toEqual(every.slice(0, most));
        let end = 0;
        const apart = every.filter((at) => {
          if (at < end) return false;
          end = at + wanted.length;
          return true;
        });
        expect(findText(text, wanted, false, most)).toEqual(apart.slice(0, most));
      }),
    );
  });
});
