import type { ManifestChangeView } from "../../../app/bridge/manifest-views.ts";
import { canonicalJson } from "../../../app/contract/digest.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownValue,
} from "../../../app/contract/json.ts";
import type { Manifest } from "../../../app/contract/manifest.ts";
import type { BreakingChange } from "../../../app/protocol/v1/breaking-change.ts";
import { changeValues } from "./change-values.ts";

/**
 * All differences between two manifests, those first that the hub calls breaking (contract §7). Tools are
 * matched by name and scopes by id; their order does not matter.
 */
export function manifestChanges(
  present: Manifest,
  pasted: Manifest,
  breaking: readonly BreakingChange[],
): readonly ManifestChangeView[] {
  const others: Plain[] = [];
  // A checked manifest is the JSON it was read from.
  compare(present as unknown as JsonValue, pasted as unknown as JsonValue, ["", ""], others);
  const isTold = ({ pointer }: Plain) =>
    breaking.some((each) => each.pointer === pointer || each.pointer.startsWith(`${pointer}/`));
  const plain = others.filter((change) => !isTold(change));
  const marked = breaking.map(({ pointer, kind, scope }) => ({
    pointer,
    kind,
    scope,
    breaking: true,
  }));
  return [...marked, ...plain.map((change) => ({ ...change, breaking: false, scope: null }))].map(
    (change) => ({ ...change, ...changeValues(present, pasted, change) }),
  );
}

type Plain = Pick<ManifestChangeView, "pointer" | "kind">;
/** A value's place in the present manifest and in the pasted one. */
type Places = readonly [string, string];

/** Lists whose members have a name of their own. */
const NAMED: Readonly<Record<string, string>> = { "/tools": "name", "/permission_scopes": "id" };

function compare(before: JsonValue, after: JsonValue, places: Places, found: Plain[]): void {
  const name = NAMED[places[1]];
  if (isJsonObject(before) && isJsonObject(after)) {
    compareMembers(before, after, places, found);
  } else if (name !== undefined && Array.isArray(before) && Array.isArray(after)) {
    compareNamed(before, after, name, places, found);
  } else if (canonicalJson(before) !== canonicalJson(after)) {
    found.push({ pointer: places[1], kind: "changed" });
  }
}

function compareMembers(
  before: JsonObject,
  after: JsonObject,
  [old, now]: Places,
  found: Plain[],
): void {
  for (const key of new Set([...Object.keys(after), ...Object.keys(before)])) {
    const [was, is] = [ownValue(before, key), ownValue(after, key)];
    const step = `/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (is === undefined) found.push({ pointer: old + step, kind: "removed" });
    else if (was === undefined) found.push({ pointer: now + step, kind: "added" });
    else compare(was, is, [old + step, now + step], found);
  }
}

function compareNamed(
  before: readonly JsonValue[],
  after: readonly JsonValue[],
  name: string,
  [old, now]: Places,
  found: Plain[],
): void {
  const nameOf = (value: JsonValue) => (isJsonObject(value) ? ownValue(value, name) : undefined);
  for (const [index, is] of after.entries()) {
    const at = before.findIndex((was) => nameOf(was) === nameOf(is));
    const was = before[at];
    if (was === undefined) found.push({ pointer: `${now}/${index}`, kind: "added" });
    else compare(was, is, [`${old}/${at}`, `${now}/${index}`], found);
  }
  for (const [index, was] of before.entries()) {
    if (after.some((is) => nameOf(is) === nameOf(was))) continue;
    found.push({ pointer: `${old}/${index}`, kind: "removed" });
  }
}
