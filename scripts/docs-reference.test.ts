import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { CATALOGUE } from "../app/contract/catalogue.ts";
import { alternativesOf, type Described, fieldsOf } from "./reference/describe-schema.ts";
import { referencePages } from "./reference/pages.ts";

const folder = fileURLToPath(new URL("../", import.meta.url));

it.each([...referencePages()])("%s is what `npm run docs:reference` writes today", (name, text) => {
  expect(readFileSync(folder + name, "utf8")).toBe(text);
});

it("every argument and every field of a result says what it means", () => {
  const silent = [...CATALOGUE.values()].flatMap((contract) =>
    [contract.arguments, contract.result]
      .flatMap((schema) => alternativesOf(schema as Described))
      .flatMap((each) => fieldsOf(each))
      .flatMap((field) => (field.meaning === "" ? [`${contract.name}: ${field.name}`] : [])),
  );
  expect(silent).toEqual([]);
});
