import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { linksIn, readDocument } from "./read-markdown.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = readDocument(root, "docs/specification-coverage.md");
const entries = page.text
  .split("\n")
  .filter((line) => line.startsWith("- "))
  .map((line) => line.slice(2).split(" · "));

/** A part's links, as paths from the repository's root. */
const filesIn = (part: string): readonly string[] =>
  linksIn({ path: page.path, text: part }).map((link) => join(dirname(page.path), link));

/** The words after the link to the test's file. */
const titleIn = (part: string): string => part.replace(/^\[[^\]]*\]\([^)]*\): /, "");

describe("docs/specification-coverage.md", () => {
  it("names code that exists for each requirement", () => {
    const faults = entries.filter(([, code = ""]) => {
      const files = filesIn(code);
      return files.length === 0 || !files.every((file) => existsSync(join(root, file)));
    });
    expect(faults).toEqual([]);
  });

  it("names a test that exists, by its file and its title or case", () => {
    const faults = entries.filter(([, , test = "", ...tooMuch]) => {
      const [file = "", ...more] = filesIn(test);
      const title = titleIn(test);
      if (
        more.length > 0 ||
        tooMuch.length > 0 ||
        title === "" ||
        !/\.(?:test|spec)\.tsx?$/.test(file)
      )
        return true;
      return !readFileSync(join(root, file), "utf8").includes(`"${title}"`);
    });
    expect(faults).toEqual([]);
  });

  it("has no requirement twice", () => {
    const requirements = entries.map(([requirement]) => requirement);
    expect(requirements.length).toBeGreaterThan(150);
    expect(new Set(requirements).size).toBe(requirements.length);
  });
});
