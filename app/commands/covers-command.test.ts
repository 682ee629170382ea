import { describe, expect, it } from "vitest";
import { type Command, coversCommand, offeredBeginnings } from "./covers-command.ts";

const command = (line: string, more: Partial<Command> = {}): Command => {
  const [named = "", ...rest] = line.split(" ");
  return { program: `/usr/bin/${named}`, named, rest, fed: false, ...more };
};
const allowed = (beginning: string, line: string, more: Partial<Command> = {}): boolean => {
  const { program, rest } = command(beginning);
  return coversCommand({ program: program ?? "", begins: [...rest] }, command(line, more));
};

describe("a beginning that is allowed", () => {
  it.each([
    ["git status", "git status -s"],
    ["git", "git log --oneline"],
    ["npm test", "npm test -- --watch=false"],
    ["rg", "rg -n foo src"],
    ["find", "find . -name x"],
    ["git push --force", "git push --force origin"],
    ["sqlite3 a.db .tables", "sqlite3 a.db .tables"],
  ])("%s covers %s", (beginning, line) => {
    expect(allowed(beginning, line)).toBe(true);
  });

  it.each([
    ["git status", "git push"],
    ["git status", "git statusx"],
    ["git", "git -c core.pager=evil log"],
    ["git diff", "git diff --output=x"],
    ["git log", "git log --ext-diff"],
    ["rg", "rg --pre evil foo"],
    ["find", "find . -exec evil"],
    ["find", "find . -fprint x"],
    ["find .", "find . -delete"],
    ["tar", "tar -I evil -xf a"],
    ["tar", "tar --checkpoint-action=exec=evil cf a b"],
    ["sed", "sed -i s/a/b/ x"],
    ["sed", "sed w x"],
    ["awk", "awk system(1)"],
    ["npm", "npm --prefix /tmp test"],
    ["npm", "npm exec evil"],
    ["make", "make SHELL=evil"],
    ["go test", "go test -exec evil"],
    ["cargo", "cargo --config x build"],
    ["python3", "python3 x.py"],
    ["bash", "bash x.sh"],
    ["env", "env evil"],
    ["sort", "sort -o x"],
  ])("%s does not cover %s", (beginning, line) => {
    expect(allowed(beginning, line)).toBe(false);
  });

  it("covers nothing that is told what to do by what it reads", () => {
    expect(allowed("sqlite3 a.db", "sqlite3 a.db", { fed: true })).toBe(false);
    expect(allowed("sh", "sh", { fed: true })).toBe(false);
    expect(allowed("python3 -", "python3 -", { fed: true })).toBe(false);
    expect(allowed("grep x", "grep x", { fed: true })).toBe(true);
  });

  it("is about the program's file, called by the same name", () => {
    const npm = { program: "/lib/npm-cli.js", named: "npm", begins: ["test"] };
    const many = { program: "/bin/coreutils", named: "cat", begins: [] };
    const called = (line: string, program: string) => command(line, { program });
    expect(coversCommand(npm, called("npm test", npm.program))).toBe(true);
    expect(coversCommand(npm, called("npx test", npm.program))).toBe(false);
    expect(coversCommand(many, called("cat a", many.program))).toBe(true);
    expect(coversCommand(many, called("rm a", many.program))).toBe(false);
    expect(coversCommand({ ...many, named: "coreutils" }, called("rm a", many.program))).toBe(
      false,
    );
    expect(allowed("git status", "git status", { program: "/p/bin/git" })).toBe(false);
    expect(allowed("git status", "git status", { program: null })).toBe(false);
    expect(allowed("git", "sh -c x", { program: "/usr/bin/git" })).toBe(false);
    expect(allowed("vi x", "x y", { named: "vi", rest: ["x", "-c", "y"] })).toBe(false);
  });
});

describe("the beginnings that are offered", () => {
  it.each([
    ["npm test", ["npm test", "npm"]],
    ["npm run build -- --watch", ["npm run build", "npm run", "npm"]],
    ["git commit -m text", ["git commit", "git"]],
    ["git push origin main", ["git push origin main", "git push", "git"]],
    ["make", ["make"]],
    ["tsc -b", ["tsc -b", "tsc"]],
    ["node scripts/x.ts --all", ["node scripts/x.ts"]],
    ["git diff --output=x", ["git diff --output=x"]],
    ["npx vitest run a", ["npx vitest run a", "npx vitest"]],
    ["bash", []],
    ["python3 -c x", ["python3 -c x"]],
    ["xargs rm", ["xargs rm"]],
  ])("for %s: %j", (line, offered) => {
    const texts = offeredBeginnings(command(line)).map(({ program, begins }) =>
      [program.slice("/usr/bin/".length), ...begins].join(" "),
    );
    expect(texts).toEqual(offered);
  });

  it("name what it is called by, where its file has another name", () => {
    expect(offeredBeginnings(command("npm test", { program: "/lib/npm-cli.js" }))).toEqual([
      { program: "/lib/npm-cli.js", named: "npm", begins: ["test"] },
      { program: "/lib/npm-cli.js", named: "npm", begins: [] },
    ]);
  });

  it("are none for a program that was not found", () => {
    expect(offeredBeginnings(command("npm test", { program: null }))).toEqual([]);
  });
});
