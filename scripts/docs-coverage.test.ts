import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { linksIn, readDocument } from "./read-markdown.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = readDocument(root, "docs/specification-coverage.md");
/** Each entry's requirement, its code's files, and the last link's file with the title of a test in it. */
const entries = page.text
  .split("\n")
  .filter((line) => line.startsWith("- "))
  .map((line) => {
    const links = filesIn(line);
    return {
      requirement: line.replace(/\[`.*/, ""),
      code: links.slice(0, -1),
      test: links.at(-1) ?? "",
      title: line.replace(/^.*\]\([^)]*\):? /, ""),
    };
  });

/** A line's links, as paths from the repository's root. */
function filesIn(line: string): readonly string[] {
  return linksIn({ path: page.path, text: line }).map((link) => join(dirname(page.path), link));
}

/** Whether a file has a test of this title; with `…`, exactly one whose title begins so. */
function hasTest(file: string, title: string): boolean {
  const source = readFileSync(join(root, file), "utf8");
  if (!title.endsWith("…")) return source.includes(`"${title}"`);
  return source.split(`"${title.slice(0, -1)}`).length === 2;
}

describe("docs/specification-coverage.md", () => {
  it("names code that exists for each requirement", () => {
    const faults = entries.filter(
      ({ code }) => code.length === 0 || !code.every((file) => existsSync(join(root, file))),
    );
    expect(faults).toEqual([]);
  });

  it("names a test that exists, by its file and its title or case", () => {
    const faults = entries.filter(
      ({ test, title }) =>
        title === "" || !/\.(?:test|spec)\.tsx?$/.test(test) || !hasTest(test, title),
    );
    expect(faults).toEqual([]);
  });

  it("has no requirement twice", () => {
    const requirements = entries.map(({ requirement }) => requirement);
    expect(requirements.length).toBeGreaterThan(150);
    expect(new Set(requirements).size).toBe(requirements.length);
  });
});
