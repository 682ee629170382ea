import { describe, expect, it } from "vitest";
import { deepFreeze, type JsonObject } from "../../app/contract/json.ts";
import { besidePlainSchemas } from "./own-schemas.ts";

const PLAIN: JsonObject = {
  type: "object",
  properties: { path: { type: "string", title: "Path" }, depth: { type: "integer", minimum: 0 } },
  required: ["path"],
  additionalProperties: false,
};

const validator = besidePlainSchemas({ validate: async () => ({ kind: "busy" }) });
const kindOf = async (schema: JsonObject, args: JsonObject) =>
  (await validator.validate({ owner: "a", schema, canonicalArguments: JSON.stringify(args) })).kind;

it("is decided at once when arguments satisfy a plain schema", async () => {
  expect(await kindOf(deepFreeze(PLAIN), { path: "/a", depth: 2 })).toBe("valid");
});

describe("the thread decides, and says what is wrong,", () => {
  const fits = { path: "/a" };
  it.each([
    ["where arguments break it", PLAIN, { path: 1 }],
    ["where one is missing", PLAIN, { depth: 2 }],
    ["where one is too many", PLAIN, { path: "/a", more: true }],
    ["where a number is too small", PLAIN, { path: "/a", depth: -1 }],
    ["for a pattern", { ...PLAIN, properties: { path: { pattern: "^(a+)+$" } } }, fits],
    ["for a choice", { anyOf: [PLAIN] }, fits],
    ["for a keyword outside the profile", { ...PLAIN, nullable: true }, fits],
    ["for a keyword with a value that it cannot have", { ...PLAIN, title: 1 }, fits],
    ["for a schema that is too large", { ...PLAIN, title: "x".repeat(70_000) }, fits],
  ] as const)("%s", async (_what, schema: JsonObject, args: JsonObject) => {
    expect(await kindOf(deepFreeze({ ...schema }), args)).toBe("busy");
  });

  it("for one that could still be changed", async () => {
    expect(await kindOf({ ...PLAIN }, fits)).toBe("busy");
  });
});
