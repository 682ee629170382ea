import { describe, expect, it } from "vitest";
import { familyIn, readProcessLine } from "./kill-tree.ts";

describe("a line of /proc/<pid>/stat", () => {
  const fields = `7 8 9 ${"0 ".repeat(15)}4242 0 0`;

  it.each(["sh", "a) R 1 1 1", "a (b)", "", ") Z 1", "a\nb", "tmux: server"])(
    "is read whatever the program is called: %j",
    (name) => {
      expect(readProcessLine(`12 (${name}) S ${fields}`)).toEqual({
        ...{ pid: 12, state: "S", parent: 7, group: 8, session: 9, key: "12 4242" },
      });
    },
  );

  it("is nothing when the process ended while it was read", () => {
    for (const text of ["", "\n", "12", "12 (sh)", "x (sh) S 1 1 1"]) {
      expect(readProcessLine(text)).toBeNull();
    }
  });
});

describe("the family in what macOS's ps lists", () => {
  const listing = [
    "    1     0     1 /sbin/launchd",
    "  100     1   100 sh -c x CONSENTRY_COMMAND=m",
    "  101   100   100 sleep 9",
    "  200   101   200 sleep 9",
    "  300     1   300 sleep 9 PATH=/bin CONSENTRY_COMMAND=m",
    "  301   300   301 sleep 9",
    "  400     1   400 sleep 9 CONSENTRY_COMMAND=other",
    "",
  ].join("\n");

  it("is its group, whoever carries its marker, and their descendants", () => {
    expect(familyIn(listing, 100, "m")).toEqual([100, 101, 300, 200, 301]);
    expect(familyIn("", 100, "m")).toEqual([]);
  });
});
