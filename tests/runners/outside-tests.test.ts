import { expect, it } from "vitest";
import { namedErrors } from "./outside-tests.ts";

it("an error outside the tests is one line: what, in which file, and where in the project", () => {
  const error = {
    name: "TypeError",
    message: "store is closed\nand more",
    stack:
      "TypeError: store is closed\n    at f (/p/node_modules/a.js:1:1)\n    at g (/p/main/keep.ts:3:4)",
    VITEST_TEST_PATH: "/p/main/keep.test.ts",
  };
  expect(namedErrors([error], "/p")).toEqual([
    "TypeError: store is closed during main/keep.test.ts at g (main/keep.ts:3:4)",
  ]);
});

it("an error of which nothing else is known is named by its message", () => {
  expect(namedErrors([{ message: "Worker exited unexpectedly" }], "/p")).toEqual([
    "Error: Worker exited unexpectedly",
  ]);
});
