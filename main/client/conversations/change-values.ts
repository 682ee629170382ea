import { DIFFERENCE_TEXT_MAX } from "../../../app/bridge/agent-views.ts";
import type { ChangeSubject, ManifestChangeView } from "../../../app/bridge/manifest-views.ts";
import { canonicalJson } from "../../../app/contract/digest.ts";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownValue,
} from "../../../app/contract/json.ts";
import type { Manifest } from "../../../app/contract/manifest.ts";

type Values = Pick<ManifestChangeView, "subject" | "before" | "after">;

/** Lists whose entries have a name of their own, and what they are. */
const NAMED = [
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
  const named = NAMED.find(({ list }) => list === path[0]);
  if (named === undefined || path.length < 2) return { kind: "manifest", name: null };
  return { kind: named.kind, name: nameOf(valueAt(manifest, path.slice(0, 2)), named.kind) };
}

function nameOf(entry: JsonValue | undefined, kind: "tool" | "scope"): string | null {
  const member = NAMED.find((each) => each.kind === kind)?.name ?? "";
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
