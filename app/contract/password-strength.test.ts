import { describe, expect, it } from "vitest";
import { passwordStrength } from "./password-strength.ts";

describe("a password's strength", () => {
  it.each([
    ["", "too_short"],
    ["Tr0ub4&3!", "too_short"],
    ["aaaaaaaaaaaaaaaaaaaaaaaa", "weak"],
    ["abababababababababababab", "weak"],
    ["abcdefghijklmnopqrstuvwxyz", "weak"],
    ["12345678901234567890", "weak"],
    ["0000-1111-2222-3333", "weak"],
    ["passwort1", "too_short"],
    ["password12", "weak"],
    ["kirschbaumhaus", "weak"],
    ["Kirschbaum7haus", "fair"],
    ["vier ganz zufaellige woerter", "strong"],
    ["gT7#kq9!Lw2$zR5", "strong"],
    ["正确的马电池订书针山", "strong"],
  ])("%j is %s", (password, strength) => {
    expect(passwordStrength(password)).toBe(strength);
  });

  it("does not fall when a password gets longer by something new", () => {
    const order = ["too_short", "weak", "fair", "strong"];
    let before = 0;
    for (let length = 1; length <= 22; length += 1) {
      const now = order.indexOf(passwordStrength("gT7#kq9!Lw2$zR5x8%Np3@".slice(0, length)));
      expect(now).toBeGreaterThanOrEqual(before);
      before = now;
    }
  });
});
