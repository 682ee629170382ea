import { assertNever } from "../assert-never.ts";
import { type JsonObject, type JsonValue, ownValue } from "../json.ts";
import { LIMITS } from "../limits.ts";
import {
  type ArtifactAction,
  type ArtifactField,
  type InputField,
  isDay,
  isField,
  type ReadBlock,
  type SelectField,
} from "./block.ts";

/** Why a field's value cannot be sent. */
const FIELD_FAULTS = [
  "required",
  "wrong_type",
  "too_long",
  "too_low",
  "too_high",
  "not_an_option",
] as const;
export type FieldFault = (typeof FIELD_FAULTS)[number];

/** What a field answers; absent: nothing was entered. */
export type FieldValue = string | number | boolean | readonly string[];
export type FieldValues = Readonly<Record<string, FieldValue>>;

export type CheckedAnswer =
  | { readonly kind: "fits"; readonly action: ArtifactAction; readonly values: FieldValues }
  | { readonly kind: "no_such_action" }
  /** By the field's key; of one that the artifact does not have, `not_an_option`. */
  | { readonly kind: "faults"; readonly faults: ReadonlyMap<string, FieldFault> };

/** Checks the person's answer against the artifact's own fields. */
export function checkAnswer(
  blocks: readonly ReadBlock[],
  refAction: string,
  values: JsonObject,
): CheckedAnswer {
  const action = blocks.find((block) => block.tag === "action" && block.key === refAction);
  if (action?.tag !== "action") return { kind: "no_such_action" };
  if (action.sends_values === false) return { kind: "fits", action, values: {} };
  const fields = blocks.filter(isField);
  const keys = new Set(fields.map(({ key }) => key));
  const faults = new Map<string, FieldFault>();
  for (const key of Object.keys(values)) if (!keys.has(key)) faults.set(key, "not_an_option");
  const entered: [string, FieldValue][] = [];
  for (const field of fields) {
    const value = ownValue(values, field.key);
    const fault = fieldFault(field, value);
    if (fault !== null) faults.set(field.key, fault);
    else if (value !== undefined && isFieldValue(value)) entered.push([field.key, value]);
  }
  if (faults.size > 0) return { kind: "faults", faults };
  return { kind: "fits", action, values: Object.fromEntries(entered) };
}

function isFieldValue(value: JsonValue): value is FieldValue {
  if (Array.isArray(value)) return value.every((each) => typeof each === "string");
  return value !== null && typeof value !== "object";
}

/** Null: the value can be sent. */
export function fieldFault(field: ArtifactField, value: JsonValue | undefined): FieldFault | null {
  if (isEmpty(field, value)) return field.required === true ? "required" : null;
  switch (field.tag) {
    case "checkbox":
      return typeof value === "boolean" ? null : "wrong_type";
    case "select":
      return selectFault(field, value);
    case "input":
      return inputFault(field, value);
    default:
      return assertNever(field);
  }
}

function isEmpty(field: ArtifactField, value: JsonValue | undefined): boolean {
  if (value === undefined) return true;
  // A box that has to be ticked is empty until it is.
  if (field.tag === "checkbox") return field.required === true && value === false;
  if (typeof value === "string") return value.trim() === "" && field.required === true;
  return Array.isArray(value) && value.length === 0;
}

function selectFault({ options, multiple }: SelectField, value: JsonValue | undefined) {
  if (multiple === true && !Array.isArray(value)) return "wrong_type";
  if (multiple !== true && typeof value !== "string") return "wrong_type";
  const chosen = [value].flat();
  const values = new Set<unknown>(options.map((option) => option.value));
  const isListed = chosen.every((each) => values.has(each));
  return isListed && new Set(chosen).size === chosen.length ? null : "not_an_option";
}

function inputFault(field: InputField, value: JsonValue | undefined): FieldFault | null {
  if (field.variant === "number") {
    if (typeof value !== "number" || !Number.isFinite(value)) return "wrong_type";
    return rangeFault(value, field.min, field.max);
  }
  if (typeof value !== "string" || !value.isWellFormed()) return "wrong_type";
  if (field.variant === "date") {
    return isDay(value) ? rangeFault(value, field.min, field.max) : "wrong_type";
  }
  const most = field.max_length ?? LIMITS.artifactTextChars;
  return value.length > most ? "too_long" : null;
}

/** Days as YYYY-MM-DD compare as text. */
function rangeFault<V extends number | string>(value: V, min?: V, max?: V): FieldFault | null {
  if (min !== undefined && value < min) return "too_low";
  return max !== undefined && value > max ? "too_high" : null;
}
