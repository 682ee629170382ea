import { expect, test } from "vitest";
import { flagError, readFlags } from "./flags.ts";
import { hostError } from "./launch-options.ts";
import { farewellOf } from "./run-until-stopped.ts";

function thrownBy(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

test.each([
  [["--port", "70000"], "--port takes a port from 0 to 65535"],
  [["--host", "moon"], "--host takes one of: desktop, browser"],
])("%j exits with 2 and says which flag cannot be read", (argv, line) => {
  expect(farewellOf(thrownBy(() => readFlags(argv)))).toEqual({ line, exitCode: 2 });
});

test("an unknown flag exits with 2, in one line", () => {
  const { line, exitCode } = farewellOf(thrownBy(() => readFlags(["--absent"])));
  expect(exitCode).toBe(2);
  expect(line).toContain("--absent");
  expect(line).not.toContain("\n");
});

test("a coded error exits with 1, its code and its sentence", () => {
  expect(farewellOf(hostError("port_in_use", { message: "Port 1 is taken." }))).toEqual({
    line: "Consentry could not start (port_in_use): Port 1 is taken.",
    exitCode: 1,
  });
});

test("a code that is its own message is printed once", () => {
  const error = Object.assign(new Error("already_running"), { code: "already_running" });
  expect(farewellOf(error).line).toBe("Consentry could not start (already_running)");
});

test("the message of an error without a code is not printed", () => {
  expect(farewellOf(new TypeError("secret")).line).toBe(
    "Consentry could not start (internal_error: TypeError)",
  );
  expect(farewellOf("secret")).toEqual({
    line: "Consentry could not start (internal_error: string)",
    exitCode: 1,
  });
});

test("a flag's sentence stays on one line", () => {
  expect(farewellOf(flagError("bad_flag", { message: "a\nb" })).line).toBe("a b");
});
