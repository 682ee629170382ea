import { describe, expect, it } from "vitest";
import { readLine } from "./read-line.ts";
import { readsOnly } from "./read-only.ts";

const reads = (line: string): readonly string[] | null => {
  const reading = readLine(line);
  if (reading.kind === "unread") throw new Error(reading.unread.reason);
  const all = reading.commands.map((command) => readsOnly(command, "/p"));
  return all.includes(null) ? null : all.flatMap((paths) => paths ?? []);
};

describe("a command that only reads", () => {
  it.each([
    ["ls", ["/p"]],
    ["ls -la src ./a/ /p/b", ["/p/src", "/p/a", "/p/b"]],
    ["cat a.ts | head -5", ["/p/a.ts"]],
    ["cat .env", ["/p/.env"]],
    ["rg -n 'a.*b' src", ["/p/src"]],
    ["rg /api/", ["/p"]],
    ["rg -e a /etc", ["/p/a", "/etc"]],
    ["grep -rn --include=*.x y .".replace("*", "a"), ["/p/a.x", "/p"]],
    ["find src -name a.ts -newer /etc/x", ["/p/src", "/p/a.ts", "/etc/x"]],
    ["sed -n 1,20p a.ts", ["/p/a.ts"]],
    ["git status", ["/p"]],
    ["git --no-pager log --oneline -5", ["/p"]],
    [
      "git diff HEAD~1 -- a.ts",
      ["/p/HEAD~1", "/p/--", "/p/a.ts"].filter((path) => path !== "/p/--"),
    ],
    ["git stash list", ["/p"]],
    ["git branch -vv", ["/p"]],
    ["echo ../x && pwd", []],
    ["wc -l a | sort -n | uniq -c", ["/p/a"]],
  ])("%s: %j", (line, paths) => {
    expect(reads(line)).toEqual(paths);
  });

  it.each([
    ..."rm a¦npm test¦tee a¦cat ../a¦ls ..¦cat a/../../b¦sort -o b a¦uniq a b¦find . -delete".split(
      "¦",
    ),
    ..."find . -exec cat a¦rg --pre evil a¦rg -L a¦grep -R a .¦git push¦git -c a=b status¦git -C /x status".split(
      "¦",
    ),
    ..."git diff --output=x¦git log --ext-diff¦git diff --no-index a b¦git branch x¦git branch -D¦git tag v1".split(
      "¦",
    ),
    ..."git config a¦git stash¦git remote add a b¦sed -i s/a/b/ a¦sed s/a/b/w a¦awk -f a b¦sed -n -e p a".split(
      "¦",
    ),
    ..."jq 'import \"a\" as $x; 1' a¦xargs cat¦env¦./ls¦/tmp/ls¦cat /¦fd -x rm¦tree -o x¦ls -L a".split(
      "¦",
    ),
  ])("is not: %s", (line) => {
    expect(reads(line)).toBeNull();
  });
});
