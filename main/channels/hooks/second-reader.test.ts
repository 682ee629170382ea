import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { brotliCompressSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { readLine } from "../../../app/commands/read-line.ts";
import type { LineReading } from "../../../app/contract/command-line.ts";
import { PROGRAMS } from "../../testing/built-programs.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { foundLine } from "./found-line.ts";
import { LineParser } from "./second-reader.ts";

const parser = new LineParser(PROGRAMS.lineWorker);
afterEach(() => parser.close());

function reading(line: string): Extract<LineReading, { kind: "read" }> {
  const read = readLine(line);
  if (read.kind === "unread") throw new Error(read.unread.reason);
  return read;
}

describe("a parser of bash", () => {
  it.each([
    "git status",
    "cd '/p/a b' && npm test 2>&1 | tail -20 >/dev/null",
    "a && b || c; d |\n e\n\nf;",
    `rg 'a|b $x' "it's" --glob='*.ts' a"b"'c' ''`,
    "ls < /dev/null 2> /dev/null a >&2",
    "git diff HEAD~3 HEAD^ -- a.ts 1 - %",
    `git commit -m "größer ✓"; git commit -m 'two\nlines'`,
    `git add -A && git commit -m "$(cat <<'EOF'\nfix: don't\n\nTwice; rm -rf ~.\nEOF\n)" && git log`,
    `git commit -m "$(cat <<'EOF'\nEOF\n)"`,
    "git commit -F - <<'END'\nany $(text) `here`\nEND\ngit push",
  ])("sees the same commands in %j", async (line) => {
    expect(await parser.agrees(line, reading(line))).toBe(true);
  });

  it.each([
    ["git status; evil", "git status"],
    ["git status", "git status; evil"],
    ["git $(evil)", "git x"],
    ['git "$x"', "git x"],
    ["git <(evil)", "git"],
    ["x=1 git", "git"],
    ["git() { evil; }", "git"],
    ["if git; then evil; fi", "git"],
    ["git & evil", "git; evil"],
    ["(git)", "git"],
    ["git <<E\n$(evil)\nE", "git"],
    ["git <<'E' && evil\nE", "git"],
    ["git > out", "git"],
    ["git 'a", "git a"],
    ["git a\\ b", "git 'a b'"],
    ["git {a,b}", "git ab"],
  ])("sees something else in %j than %j", async (line, other) => {
    expect(await parser.agrees(line, reading(other))).toBe(false);
  });

  it("that breaks or is missing agrees with nothing, and is there again for the next line", async () => {
    const folder = scratchFolder();
    mkdirSync(folder, { recursive: true });
    const missing = new LineParser(pathToFileURL(join(folder, "line-worker.js")));
    expect(await missing.agrees("ls", reading("ls"))).toBe(false);
    for (const name of ["web-tree-sitter.wasm.br", "tree-sitter-bash.wasm.br"]) {
      writeFileSync(join(folder, name), brotliCompressSync(""));
    }
    writeFileSync(join(folder, "line-worker.js"), "throw new Error();");
    expect(await missing.agrees("ls", reading("ls"))).toBe(false);
    parser.close();
    expect(await parser.agrees("ls", reading("ls"))).toBe(true);
  });
});

it("a line on which both readings do not agree is not read", async () => {
  const place = { isShell: true, directory: "/", path: null };
  const found = (agrees: boolean) =>
    foundLine("ls -l", {
      ...place,
      reader: { agrees: async () => agrees, programs: async () => [] },
    });
  expect((await found(true)).unread).toBeNull();
  expect((await found(false)).unread).toMatchObject({ reason: "two_readings" });
});
