import fc from "fast-check";
import { expect, it } from "vitest";
import type { JsonObject } from "../json.ts";
import { checkAnswer } from "./answer.ts";
import { type ArtifactBlock, isField, readBlocks } from "./block.ts";

const FORM: readonly ArtifactBlock[] = [
  { tag: "input", key: "name", label: "Name", required: true, max_length: 5 },
  { tag: "input", key: "seats", label: "Seats", variant: "number", min: 1, max: 4 },
  { tag: "input", key: "day", label: "Day", variant: "date", min: "2026-02-01", max: "2026-02-28" },
  {
    tag: "select",
    key: "meal",
    label: "Meal",
    options: ["a", "b"].map((v) => ({ value: v, label: v })),
  },
  {
    tag: "select",
    key: "extras",
    label: "Extras",
    multiple: true,
    required: true,
    options: ["x", "y"].map((v) => ({ value: v, label: v })),
  },
  { tag: "checkbox", key: "terms", label: "Terms", required: true },
  { tag: "action", key: "book", label: "Book", variant: "primary" },
  { tag: "action", key: "cancel", label: "Cancel", sends_values: false },
];
const GOOD = { name: "Kim", seats: 2, day: "2026-02-28", meal: "a", extras: ["y"], terms: true };

const check = (values: JsonObject, action = "book") => checkAnswer(FORM, action, values);
const faultsOf = (values: JsonObject): unknown => {
  const checked = check(values);
  return checked.kind === "faults" ? Object.fromEntries(checked.faults) : checked.kind;
};

it("an answer that fits its fields is passed on as it was entered", () => {
  expect(check(GOOD)).toMatchObject({ kind: "fits", values: GOOD });
});

it("a field that is not required may be left out", () => {
  const { name, extras, terms } = GOOD;
  expect(check({ name, extras, terms })).toMatchObject({
    kind: "fits",
    values: { name, extras, terms },
  });
});

it.each([
  [{ name: undefined }, { name: "required" }],
  [{ name: "   " }, { name: "required" }],
  [{ name: 7 }, { name: "wrong_type" }],
  [{ name: "\ud800" }, { name: "wrong_type" }],
  [{ name: "Kimmie" }, { name: "too_long" }],
  [{ seats: "2" }, { seats: "wrong_type" }],
  [{ seats: 0 }, { seats: "too_low" }],
  [{ seats: 5 }, { seats: "too_high" }],
  [{ day: "2026-02-30" }, { day: "wrong_type" }],
  [{ day: "2026-01-31" }, { day: "too_low" }],
  [{ day: "2026-03-01" }, { day: "too_high" }],
  [{ meal: "c" }, { meal: "not_an_option" }],
  [{ meal: ["a"] }, { meal: "wrong_type" }],
  [{ extras: [] }, { extras: "required" }],
  [{ extras: "x" }, { extras: "wrong_type" }],
  [{ extras: ["x", "x"] }, { extras: "not_an_option" }],
  [{ extras: ["x", "z"] }, { extras: "not_an_option" }],
  [{ terms: false }, { terms: "required" }],
  [{ terms: "yes" }, { terms: "wrong_type" }],
  [{ other: "x" }, { other: "not_an_option" }],
  [
    { name: "", terms: false },
    { name: "required", terms: "required" },
  ],
])("with %j the fields at fault are named", (over, faults) => {
  const values = Object.entries({ ...GOOD, ...over }).filter(([, value]) => value !== undefined);
  expect(faultsOf(Object.fromEntries(values) as JsonObject)).toEqual(faults);
});

it("an action that sends no values needs none, and sends none", () => {
  expect(check({ name: 7 }, "cancel")).toMatchObject({ kind: "fits", values: {} });
});

it("only the artifact's own actions can be answered with", () => {
  for (const action of ["name", "other", "__proto__", "constructor"]) {
    expect(check(GOOD, action)).toEqual({ kind: "no_such_action" });
  }
});

it("whatever is entered, what is passed on has the form's keys alone, and fits it again", () => {
  const keys = new Set(FORM.filter(isField).map(({ key }) => key));
  const value = fc.oneof(
    fc.constantFrom("Kim", "a", "2026-02-05", 2, true, ["x"], ["y", "x"], ""),
    fc.jsonValue(),
  );
  const key = fc.oneof(fc.constantFrom(...keys), fc.string());
  fc.assert(
    fc.property(fc.dictionary(key, value, { maxKeys: 8 }), (values) => {
      const checked = check(values as JsonObject);
      if (checked.kind !== "fits") return;
      for (const each of Object.keys(checked.values)) expect(keys).toContain(each);
      expect(check(checked.values)).toEqual(checked);
    }),
    { numRuns: 300 },
  );
});

it("the form of these tests is one an agent can send", () => {
  expect(readBlocks(FORM)).toEqual(FORM);
});
