import { describe, expect, it } from "vitest";
import { deepFreeze, type JsonObject } from "../../app/contract/json.ts";
import { besideOwnSchemas } from "./own-schemas.ts";

const OWN: JsonObject = {
  type: "object",
  properties: { path: { type: "string" } },
  required: ["path"],
  additionalProperties: false,
};

/** Strangers' schemas are never decided here. */
const validator = besideOwnSchemas([OWN], { validate: async () => ({ kind: "busy" }) });
const kindOf = async (schema: JsonObject, args: JsonObject) =>
  (await validator.validate({ owner: "a", schema, canonicalArguments: JSON.stringify(args) })).kind;

describe("a schema that this program wrote", () => {
  it("is decided here, in whatever order its members are stored", async () => {
    const { properties, ...rest } = OWN;
    const stored = deepFreeze({ ...rest, properties: structuredClone(properties ?? {}) });
    expect(await kindOf(stored, { path: "/a" })).toBe("valid");
    expect(await kindOf(stored, {})).toBe("invalid");
    expect(await kindOf(stored, { path: 1 })).toBe("invalid");
    expect(await kindOf(stored, { path: "/a", more: true })).toBe("invalid");
  });
});

describe("the thread for strangers decides", () => {
  it.each([
    ["a schema that differs in one letter", deepFreeze({ ...OWN, required: ["paths"] })],
    ["one that could still be changed", { ...OWN }],
    ["one that is nested too deeply to be written", nested(100_000)],
  ])("%s", async (_what, schema) => {
    expect(await kindOf(schema, { path: "/a" })).toBe("busy");
  });
});

function nested(levels: number): JsonObject {
  let schema: JsonObject = Object.freeze({});
  for (let level = 0; level < levels; level += 1) schema = Object.freeze({ not: schema });
  return schema;
}
