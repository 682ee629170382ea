import {
  type ChangeSubject,
  DIFFERENCE_TEXT_MAX,
  type ManifestChangeView,
} from "../../../app/bridge/manifest-views.ts";
import { canonicalJson } from "../../../app/contract/digest.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownValue,
} from "../../../app/contract/json.ts";
import type { Manifest } from "../../../app/contract/manifest.ts";
import type { BreakingChange } from "../../../app/protocol/v1/breaking-change.ts";

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

type Values = Pick<ManifestChangeView, "subject" | "before" | "after">;

/** Lists whose entries have a name of their own, and what they are. */
const NAMED_VALUES = [
  { list: "tools", name: "name", kind: "tool" },
  { list: "permission_scopes", name: "id", kind: "scope" },
] as const;

/** What a change belongs to, with the value before and the value now. */
export function changeValues(
  present: Manifest,
  pasted: Manifest,
  { pointer, kind }: Pick<ManifestChangeView, "pointer" | "kind">,
): Values {
  // A checked manifest is the JSON it was read from.
  const [old, now] = [present as unknown as JsonObject, pasted as unknown as JsonObject];
  const path = tokensOf(pointer);
  // Only something removed has its place in the present manifest.
  if (kind === "removed") {
    return { subject: subjectAt(old, path), before: shown(valueAt(old, path)), after: null };
  }
  const before = kind === "added" || kind === "scope_added" ? undefined : beforeAt(old, now, path);
  return { subject: subjectAt(now, path), before: shown(before), after: shown(valueAt(now, path)) };
}

/** An entry may have moved in its list, so it is found by its name. */
function beforeAt(old: JsonObject, now: JsonObject, path: readonly string[]) {
  const { kind, name } = subjectAt(now, path);
  if (kind === "manifest") return valueAt(old, path);
  const [list = "", , ...rest] = path;
  const entries = ownValue(old, list);
  const entry = Array.isArray(entries)
    ? entries.find((each) => nameOf(each, kind) === name)
    : undefined;
  return entry === undefined ? undefined : valueAt(entry, rest);
}

function subjectAt(manifest: JsonObject, path: readonly string[]): ChangeSubject {
  const named = NAMED_VALUES.find(({ list }) => list === path[0]);
  if (named === undefined || path.length < 2) return { kind: "manifest", name: null };
  return { kind: named.kind, name: nameOf(valueAt(manifest, path.slice(0, 2)), named.kind) };
}

function nameOf(entry: JsonValue | undefined, kind: "tool" | "scope"): string | null {
  const member = NAMED_VALUES.find((each) => each.kind === kind)?.name ?? "";
  const name = isJsonObject(entry) ? ownValue(entry, member) : undefined;
  return typeof name === "string" ? name : null;
}

function valueAt(from: JsonValue, path: readonly string[]): JsonValue | undefined {
  let at: JsonValue | undefined = from;
  for (const token of path) {
    if (Array.isArray(at)) at = /^\d{1,6}$/.test(token) ? at[Number(token)] : undefined;
    else at = isJsonObject(at) ? ownValue(at, token) : undefined;
  }
  return at;
}

/** RFC 6901. */
const tokensOf = (pointer: string): readonly string[] =>
  pointer
    .split("/")
    .slice(1)
    .map((token) => token.replaceAll("~1", "/").replaceAll("~0", "~"));

function shown(value: JsonValue | undefined): string | null {
  if (value === undefined) return null;
  const text = typeof value === "string" ? value : canonicalJson(value);
  return text.length <= DIFFERENCE_TEXT_MAX ? text : `${text.slice(0, DIFFERENCE_TEXT_MAX)}…`;
}
