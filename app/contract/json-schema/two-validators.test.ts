import { beforeEach, expect, it, vi } from "vitest";
import { compileSchema, SchemaRefusedError } from "./compile-schema.ts";
import { compileWithAjv } from "./compile-with-ajv.ts";

vi.mock("./compile-with-ajv.ts", () => ({ compileWithAjv: vi.fn() }));
const ajv = vi.mocked(compileWithAjv);

beforeEach(() => void ajv.mockReset());

it("a value that Ajv alone refuses is invalid, where Ajv says", () => {
  const violation = { pointer: "/a", keyword: "type" };
  ajv.mockReturnValue(() => violation);
  expect(compileSchema({}).validate({})).toEqual([violation]);
});

it("a value that the evaluator alone refuses is invalid", () => {
  ajv.mockReturnValue(() => undefined);
  expect(compileSchema({ type: "string" }).validate(1)).toEqual([{ pointer: "", keyword: "type" }]);
  expect(compileSchema({ type: "string" }).validate("a")).toEqual([]);
});

it("a schema that Ajv cannot compile is refused", () => {
  ajv.mockImplementation(() => {
    throw new RangeError();
  });
  expect(() => compileSchema({})).toThrow(SchemaRefusedError);
});
