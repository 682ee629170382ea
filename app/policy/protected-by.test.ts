import { expect, test } from "vitest";
import { isProtectedByMode, isProtectedOnWindows } from "./policy-file.ts";

const ADMINISTRATORS_WRITE = "(A;ID;FA;;;SY)(A;ID;FA;;;BA)";

test.each([
  [`O:BAG:SYD:${ADMINISTRATORS_WRITE}(A;ID;0x1200a9;;;BU)`, true],
  [`O:SYG:SYD:PAI${ADMINISTRATORS_WRITE}(A;;FR;;;WD)`, true],
  [`O:BAG:SYD:${ADMINISTRATORS_WRITE}(A;OICIIOID;GA;;;CO)(A;;0x1200a9;;;BU)`, true],
  // What a person makes in ProgramData themselves: it is theirs.
  [`O:S-1-5-21-1-2-3-1001G:BUD:${ADMINISTRATORS_WRITE}(A;ID;0x1200a9;;;BU)`, false],
  [`O:BAG:SYD:${ADMINISTRATORS_WRITE}(A;ID;FA;;;S-1-5-21-1-2-3-1001)`, false],
  [`O:BAG:SYD:${ADMINISTRATORS_WRITE}(A;CI;DCLCRPCR;;;BU)`, false],
  [`O:BAG:SYD:${ADMINISTRATORS_WRITE}(XA;;FR;;;BU;(Exists WIN://x))`, false],
  ["O:BAG:SYD:NO_ACCESS_CONTROL", false],
  ["O:BAG:SY", false],
  ["", false],
])("on Windows %s is protected: %s", (sddl, expected) => {
  expect(isProtectedOnWindows(sddl)).toBe(expected);
});

test("elsewhere it is root's, and neither its group nor others may write", () => {
  expect(isProtectedByMode({ uid: 0, mode: 0o100644 })).toBe(true);
  expect(isProtectedByMode({ uid: 1000, mode: 0o100644 })).toBe(false);
  expect(isProtectedByMode({ uid: 0, mode: 0o100664 })).toBe(false);
  expect(isProtectedByMode({ uid: 0, mode: 0o100646 })).toBe(false);
});

test("a file of the person's own may be theirs, and nobody else's", () => {
  expect(isProtectedByMode({ uid: 1000, mode: 0o100600 }, 1000)).toBe(true);
  expect(isProtectedByMode({ uid: 0, mode: 0o100644 }, 1000)).toBe(true);
  expect(isProtectedByMode({ uid: 1001, mode: 0o100644 }, 1000)).toBe(false);
  expect(isProtectedByMode({ uid: 1000, mode: 0o100664 }, 1000)).toBe(false);
  const me = "S-1-5-21-1-2-3-1001";
  const mine = `O:${me}G:BUD:${ADMINISTRATORS_WRITE}(A;ID;FA;;;${me})`;
  expect(isProtectedOnWindows(mine, me)).toBe(true);
  expect(isProtectedOnWindows(mine, "S-1-5-21-1-2-3-1002")).toBe(false);
  expect(isProtectedOnWindows(`${mine}(A;ID;FA;;;BU)`, me)).toBe(false);
});
