import { describe, expect, it } from "vitest";
import { CodedError, errorKind } from "./coded-error.ts";

const doorError = errorKind<"locked" | "jammed", { readonly since: number }>("DoorError");

describe("a boundary's errors", () => {
  it("carry a code, and say it where no message is given", () => {
    const error = doorError("locked");
    expect(error).toBeInstanceOf(Error);
    expect({ ...error, message: error.message }).toMatchObject({
      name: "DoorError",
      code: "locked",
      message: "locked",
    });
    expect(String(error)).toBe("DoorError: locked");
  });

  it("keep a message, details and the cause", () => {
    const cause = new TypeError("rust");
    const error = doorError("jammed", { message: "It sticks.", details: { since: 7 }, cause });
    expect([error.message, error.details?.since, error.cause]).toEqual(["It sticks.", 7, cause]);
  });

  it("are told from those of another boundary and from foreign errors", () => {
    expect(doorError.is(doorError("locked"))).toBe(true);
    expect(doorError.is(errorKind("WindowError")("locked"))).toBe(false);
    expect(doorError.is(Object.assign(new Error("locked"), { name: "DoorError" }))).toBe(false);
    expect(doorError.is(new CodedError("DoorError", "locked"))).toBe(true);
    expect(doorError.is(null)).toBe(false);
  });
});
