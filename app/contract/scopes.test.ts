import { expect, it } from "vitest";
import { isReservedScope, PRESET_SCOPES } from "./scopes.ts";

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
