import { expect, it } from "vitest";
import {
  highestSensitivity,
  isReservedScope,
  isSensitivity,
  PRESET_SCOPES,
  SENSITIVITIES,
} from "./scopes.ts";

it("the preset scopes are the four of the manifest specification", () => {
  expect([...PRESET_SCOPES]).toEqual([
    ["notification:send", "low"],
    ["filesystem:read", "medium"],
    ["clipboard:read", "medium"],
    ["location:read", "high"],
  ]);
});

it.each(["hashee:anything", "system:shell", "HASHEE:x", "System:", "hashee:"])(
  "%s is reserved",
  (id) => {
    expect(isReservedScope(id)).toBe(true);
  },
);

it.each(["filesystem:read", "hashee", "systems:x", "my:system:x", "crm:hashee:read"])(
  "%s is not reserved",
  (id) => {
    expect(isReservedScope(id)).toBe(false);
  },
);

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
