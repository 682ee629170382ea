import { describe, expect, it } from "vitest";
import { readLine } from "./read-line.ts";

const commandsOf = (line: string) => {
  const reading = readLine(line);
  return reading.kind === "read"
    ? reading.commands.map(({ words }) => words)
    : reading.unread.reason;
};

describe("a line of the small language", () => {
  it.each([
    ["git status", [["git", "status"]]],
    ["  npm   test\t", [["npm", "test"]]],
    ["a && b || c; d | e\nf;", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"]]],
    ["a &&\n b |\n c\n\nd", [["a"], ["b"], ["c"], ["d"]]],
    [`rg 'a|b $x' "it's" --glob='*.ts'`, [["rg", "a|b $x", "it's", "--glob=*.ts"]]],
    [
      "npm test 2>&1 | tail -20 >/dev/null",
      [
        ["npm", "test"],
        ["tail", "-20"],
      ],
    ],
    ["ls < /dev/null 2> /dev/null >&2", [["ls"]]],
    ["git diff HEAD~3 HEAD^ -- a.ts", [["git", "diff", "HEAD~3", "HEAD^", "--", "a.ts"]]],
    ["git commit -m 'two\nlines'", [["git", "commit", "-m", "two\nlines"]]],
    [`git commit -m "größer ✓"`, [["git", "commit", "-m", "größer ✓"]]],
    ["git -c a=b log", [["git", "-c", "a=b", "log"]]],
    [
      `git add -A && git commit -m "$(cat <<'EOF'\nfix(x): don't ask\n\nTwice; rm -rf ~ & more.\nEOF\n)" && git status`,
      [
        ["git", "add", "-A"],
        ["git", "commit", "-m", "fix(x): don't ask\n\nTwice; rm -rf ~ & more."],
        ["git", "status"],
      ],
    ],
    [`git commit -m "$(cat <<'EOF'\nEOF\n)"`, [["git", "commit", "-m", ""]]],
    [
      "git commit -F - <<'END'\nany $(text) `here` \"and\" 'there'\nEND\ngit push",
      [
        ["git", "commit", "-F", "-"],
        ["git", "push"],
      ],
    ],
  ])("%j", (line, commands) => {
    expect(commandsOf(line)).toEqual(commands);
  });

  it("may begin in another folder", () => {
    expect(readLine("cd '/p/a b' && npm test")).toMatchObject({
      directory: "/p/a b",
      commands: [{ words: ["npm", "test"], start: 15, end: 23 }],
    });
    expect(readLine("cd sub")).toMatchObject({ kind: "read", directory: "sub", commands: [] });
    expect(readLine("npm test")).toMatchObject({ directory: null });
  });

  it("says what reads from the line or from another command", () => {
    const reading = readLine("a | b && c <<'X'\ntext\nX\nd");
    const fed = reading.kind === "read" && reading.commands.map((each) => each.fed);
    expect(fed).toEqual([false, true, true, false]);
  });
});

describe("anything else is not read", () => {
  it.each([
    ["substitution", ["echo $(id)", "echo `id`", "echo $((1))", 'echo "$(id)"', 'echo "a`id`"']],
    ["variable", ["echo $HOME", 'echo "$HOME"', "echo ${x}", "$x", "echo $'a'"]],
    ["pattern", ["ls *", "ls a?", "ls [ab]", "ls ^a"]],
    ["braces", ["echo {a,b}", "{ id; }", "a}"]],
    ["home_folder", ["ls ~", "ls ~/x", "make X=~/x", "echo =ls", "ls a/~b"]],
    ["backslash", ["echo a\\ b", "l\\s", 'echo "a\\"', "a\\\nb"]],
    ["exclamation", ["! id", "echo !!", 'echo "a!"']],
    ["assignment", ["A=b id", "PATH=/tmp git status", "A+=b", "x=1"]],
    [
      "redirection",
      ["echo a > b", "a >> b", "a < b", "a>/dev/null", "a 2>b", "a >/dev/nullx", "12>&1"],
    ],
    ["redirection", [">/dev/null", "a 3>&1", "a >&3", "a <(id)", "a >/dev/null/../x"]],
    ["background", ["a &", "a & b", "a&b", "a &>/dev/null"]],
    ["grouping", ["(id)", "f() { id; }", "a )"]],
    ["keyword", ["if a; then b; fi", "time a", "while a; do b; done", "%1", "- a", "'' a", "7 a"]],
    [
      "shell_itself",
      ["eval id", ". x", "source x", "alias a=b", "exec id", "a; cd b", "cd a b; c"],
    ],
    [
      "shell_itself",
      ["cd a; b", "cd - && a", "cd -P a && b", "a && cd", "printf -v PATH x", "a | cd b"],
    ],
    [
      "here_document",
      ["a <<EOF\n$x\nEOF", 'a <<"E"\nx\nE', "a <<<b", "a | b <<'E'\nx\nE", "a <<'E'\nx"],
    ],
    ["here_document", ["a <<-'E'\nx\nE", "a <<'E' && b\nx\nE", "<<'E'\nx\nE"]],
    ["comment", ["a # b", "#", "a b#c"]],
    [
      "character",
      ["a\u00a0b", "a\rb", "a\u0000", "ä", "a\u200b", "'\u001b'", "'\u202e'", "a\u2028b"],
    ],
    ["character", ["a\r\nb", "'a\r'", "a\u3000b", "a\vb", "a\fb", "'\ud800'"]],
    [
      "malformed",
      ["", "  ", "\n", "a &&", "&& a", "a ;; b", "a | | b", "a |& b", "'a", 'a "b', "'a''b'"],
    ],
  ])("%s: %j", (reason, lines) => {
    expect(lines.map(commandsOf)).toEqual(lines.map(() => reason));
  });

  it("a message that an old bash could take for more", () => {
    const message = (body: string, after = "") =>
      `git commit -m "$(cat <<'E'\n${body}\nE\n)"${after}`;
    expect(commandsOf(message("a"))).toHaveLength(1);
    for (const body of ["a $(id)", "`id`", 'a " b', "\\"]) {
      expect(commandsOf(message(body))).toBe("substitution");
    }
    expect(commandsOf(message("don't", " && echo 'x'"))).toBe("substitution");
    expect(commandsOf(`"$(cat <<'E'\nid\nE\n)"`)).toBe("substitution");
  });

  it("with what of it is not read, and one that is too long unread", () => {
    const unreadIn = (line: string) => {
      const reading = readLine(line);
      return reading.kind === "unread" ? { ...reading.unread } : null;
    };
    const substitution = { reason: "substitution", text: "$(…)", start: 10, end: 15 };
    expect(unreadIn("a && echo $(id) && b")).toEqual(substitution);
    for (const [line, written] of [
      ["a; X=1 b", "X=1"],
      ["a > b", ">"],
      ["a; >/dev/null", ">/dev/null"],
      ["ls 'a' *.ts", "*.ts"],
      ["a; eval b c; d", "eval b c"],
      ["a | b <<EOF\nEOF", "<<EOF"],
      ["a; while b; do c; done", "while"],
      ['echo "a $HOME"', '$HOME"'],
    ] as const) {
      const { start = 0, end = 0 } = unreadIn(line) ?? {};
      expect(line.slice(start, end)).toBe(written);
    }
    expect(commandsOf(`echo '${"ü".repeat(33_000)}'`)).toBe("too_long");
    expect(commandsOf(`echo ${"a ".repeat(1_100)}`)).toBe("too_long");
  });
});
