import { translations } from "@zxcvbn-ts/language-en";
import { describe, expect, it } from "vitest";
import { passwordStrength } from "./password-strength.ts";
import { PASSWORD_SUGGESTIONS, PASSWORD_WARNINGS } from "./password-words.ts";

describe("a password's strength", () => {
  it.each([
    ["", "weak"],
    ["Password123!", "weak"],
    ["P@ssw0rd2024!", "weak"],
    ["Passwort1", "weak"],
    ["aaaaaaaaaaaaaaaaaaaaaaaa", "weak"],
    ["abababababababababababab", "weak"],
    ["abcdefghijklmnopqrstuvwxyz", "weak"],
    ["12345678901234567890", "weak"],
    ["qwertyuiop123", "weak"],
    ["1990-05-17", "weak"],
    ["ConsentryBackup", "weak"],
    ["kirschbaumhaus", "weak"],
    ["zhongguo123456", "weak"],
    ["Sommer2024!!", "fair"],
    ["woaini1314", "fair"],
    ["Kirschbaum7haus", "fair"],
    ["correct horse battery staple", "strong"],
    ["vier ganz zufaellige woerter", "strong"],
    ["gT7#kq9!Lw2$zR5", "strong"],
    ["正确的马电池订书针一座山", "strong"],
  ])("%j is %s", (password, level) => {
    expect(passwordStrength(password).level).toBe(level);
  });

  it("is the same however its characters are composed", () => {
    const composed = "Äpfel";
    expect(passwordStrength(composed.normalize("NFD"))).toEqual(passwordStrength(composed));
  });

  it("comes with what is wrong and what would be better", () => {
    expect(passwordStrength("Password123!")).toEqual({
      level: "weak",
      warning: "similarToCommon",
      suggestions: ["capitalization", "anotherWord"],
    });
  });

  it("has a text for every warning and suggestion, except those of a look-up that is not made", () => {
    const { warnings, suggestions } = translations;
    const known = [...PASSWORD_WARNINGS, "pwned"].toSorted();
    expect(Object.keys(warnings).toSorted()).toEqual(known);
    expect(Object.keys(suggestions).toSorted()).toEqual(
      [...PASSWORD_SUGGESTIONS, "pwned"].toSorted(),
    );
  });
});
