import type { ManifestChangeView } from "../../app/bridge/manifest-views.ts";

/** What a JSON Pointer into a manifest is about. */
export type Subject =
  | { readonly kind: "tool" | "scope"; readonly index: number }
  | { readonly kind: "manifest" };

const PLACE = /^\/(tools|permission_scopes)\/(\d{1,6})(?:\/|$)/;

export function subjectOf(pointer: string): Subject {
  const [, list, index] = PLACE.exec(pointer) ?? [];
  if (list === undefined || index === undefined) return { kind: "manifest" };
  return { kind: list === "tools" ? "tool" : "scope", index: Number(index) };
}

/** The tool's name or the scope's id, where the text has one there. */
export function subjectName(text: string, subject: Subject): string | null {
  if (subject.kind === "manifest") return null;
  const list = memberOf(parsed(text), subject.kind === "tool" ? "tools" : "permission_scopes");
  const entry: unknown = Array.isArray(list) ? list[subject.index] : undefined;
  const name = memberOf(entry, subject.kind === "tool" ? "name" : "id");
  return typeof name === "string" && name !== "" ? name : null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined;

export interface ChangeGroup {
  readonly key: string;
  readonly subject: Subject;
  /** Null: the manifest as a whole, or the text does not say. */
  readonly name: string | null;
  readonly breaking: boolean;
  readonly changes: readonly ManifestChangeView[];
}

/**
 * The changes by tool and scope; those that break something first, then in the order they come. What
 * was removed has its place in the present manifest, so it stands apart.
 */
export function changeGroups(
  text: string,
  changes: readonly ManifestChangeView[],
): readonly ChangeGroup[] {
  const groups = Map.groupBy(changes, ({ kind, pointer }) => {
    const subject = subjectOf(pointer);
    if (subject.kind === "manifest") return "manifest";
    const gone = kind === "removed" && PLACE.exec(pointer)?.[0] === pointer;
    return `${gone ? "gone " : ""}${subject.kind} ${subject.index}`;
  });
  const all = [...groups].map(([key, [first, ...rest]]): ChangeGroup | null => {
    if (first === undefined) return null;
    const subject = subjectOf(first.pointer);
    const own = [first, ...rest];
    return {
      key,
      subject,
      name: key.startsWith("gone ") ? null : subjectName(text, subject),
      breaking: own.some(({ breaking }) => breaking),
      changes: own,
    };
  });
  return all
    .filter((group) => group !== null)
    .toSorted((one, other) => Number(other.breaking) - Number(one.breaking));
}

/** Where a line and column, counted from 1, stand in the text. */
export function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let passed = 1; passed < line; passed += 1) {
    const end = text.indexOf("\n", start);
    if (end === -1) return text.length;
    start = end + 1;
  }
  return Math.min(start + column - 1, text.length);
}
