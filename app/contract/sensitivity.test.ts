import { expect, it } from "vitest";
import { highestSensitivity, isSensitivity, SENSITIVITIES } from "./sensitivity.ts";

it("the highest level given wins, whatever the order and whatever is absent", () => {
  expect(highestSensitivity("low", "high", "medium")).toBe("high");
  expect(highestSensitivity("medium", undefined, "low")).toBe("medium");
  expect(highestSensitivity(undefined, "low")).toBe("low");
  for (const level of SENSITIVITIES) expect(highestSensitivity(level, "high")).toBe("high");
});

it("nothing given is low: the caller has to name at least the catalogue's level", () => {
  expect(highestSensitivity()).toBe("low");
  expect(highestSensitivity(undefined)).toBe("low");
});

it("only the three words are levels", () => {
  expect(SENSITIVITIES.every(isSensitivity)).toBe(true);
  for (const word of ["", "HIGH", "critical", "__proto__", 2, null, undefined, ["low"]]) {
    expect(isSensitivity(word)).toBe(false);
  }
});
