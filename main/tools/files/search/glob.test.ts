import { expect, it } from "vitest";
import { compileGlob } from "./glob.ts";

const matches = (pattern: string, path: string): boolean => {
  const glob = compileGlob(pattern);
  return glob.matches(glob.advance(glob.start, path));
};

it.each([
  ["*.ts", "a.ts", true],
  ["*.ts", "deep/er/a.ts", true],
  ["*.ts", "a.tsx", false],
  ["*.ts", ".ts", true],
  ["*", "any/thing", true],
  ["a*c", "abbc", true],
  ["a*c", "a/c", false],
  ["/a", "a", false],
  ["src/*.ts", "src/a.ts", true],
  ["src/*.ts", "src/b/a.ts", false],
  ["src/*.ts", "x/src/a.ts", false],
  ["src/**/*.ts", "src/a.ts", true],
  ["src/**/*.ts", "src/b/c/a.ts", true],
  ["src/**/*.ts", "srcs/a.ts", false],
  ["**/a", "a", true],
  ["**/a", "b/c/a", true],
  ["**/a", "b/ca", false],
  ["a/**", "a/b/c", true],
  ["a/**", "a", false],
  ["a/**", "a/", false],
  ["**", "x", true],
  ["**", "x/y", true],
  ["a/**/**/b", "a/b", true],
  ["x/a**b", "x/a1b", true],
  ["x/a**b", "x/a/b", false],
  ["x/***", "x/a", true],
  ["x/***", "x/a/b", false],
  ["?.t", "a.t", true],
  ["?.t", "\u{1f600}.t", true],
  ["?.t", "ab.t", false],
  ["a?b", "a/b", false],
  ["{a,b}.t", "b.t", true],
  ["{a,b}.t", "c.t", false],
  ["{a,b/c}.t", "b/c.t", true],
  ["{,x}y", "y", true],
  ["{}y", "y", true],
  ["{a,{b,c*}}", "cde", true],
  ["{*.ts,*.js}", "q/w.js", true],
  ["a,b", "a,b", true],
  ["\\*", "*", true],
  ["\\*", "a", false],
  ["\\{a\\}", "{a}", true],
  ["[ab]", "a", false],
  ["[ab]", "[ab]", true],
  ["A", "a", false],
  ["né", "né", true],
  ["a\nb", "a\nb", true],
  ["*", "a\nb", true],
])("%j against %j: %s", (pattern, path, expected) => {
  expect(matches(pattern, path)).toBe(expected);
});

it("goes on from a folder to the names in it, and knows when nothing below can match", () => {
  const glob = compileGlob("src/**/*.ts");
  const folder = glob.advance(glob.advance(glob.start, "src"), "/");
  expect(glob.matches(glob.advance(folder, "a.ts"))).toBe(true);
  expect(glob.advance(glob.start, "lib/").members).toEqual([]);
});

it("takes states × characters for patterns that break regular expressions", () => {
  const name = "a".repeat(4000);
  for (const pattern of [
    `${"*a".repeat(120)}b`,
    `x/${"**/".repeat(80)}b`,
    `${"{a,a*}".repeat(40)}b`,
    `${"{*,{*,*}}".repeat(28)}b`,
  ]) {
    expect(matches(pattern, `x/${name}c`)).toBe(false);
  }
});

it("remembers no more than it may, and then still answers", () => {
  const glob = compileGlob("*a?????z");
  let seed = 1;
  const sign = (): string => {
    seed = (seed * 48_271) % 2_147_483_647;
    return String.fromCodePoint(0x4e00 + (seed % 20_000));
  };
  for (let turn = 0; turn < 10_000; turn += 1) {
    const five = sign() + sign() + sign() + sign() + sign();
    expect(glob.matches(glob.advance(glob.start, `a${five}z`))).toBe(true);
    expect(glob.matches(glob.advance(glob.start, `a${five}`))).toBe(false);
  }
});
