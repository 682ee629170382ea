import type { ChangeSubject, ManifestChangeView } from "../../app/bridge/manifest-views.ts";

export interface ChangeGroup {
  readonly key: string;
  readonly subject: ChangeSubject;
  readonly breaking: boolean;
  readonly changes: readonly ManifestChangeView[];
}

/** The changes by tool and scope: breaking ones first, otherwise in their order. */
export function changeGroups(changes: readonly ManifestChangeView[]): readonly ChangeGroup[] {
  const groups = Map.groupBy(changes, ({ subject: { kind, name } }) => `${kind} ${name ?? ""}`);
  return [...groups]
    .flatMap(([key, own]): readonly ChangeGroup[] => {
      const [first] = own;
      if (first === undefined) return [];
      const breaking = own.some((change) => change.breaking);
      return [{ key, subject: first.subject, breaking, changes: own }];
    })
    .toSorted((one, other) => Number(other.breaking) - Number(one.breaking));
}

/** The offset of a line and column (counted from 1) in the text. */
export function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let passed = 1; passed < line; passed += 1) {
    const end = text.indexOf("\n", start);
    if (end === -1) return text.length;
    start = end + 1;
  }
  return Math.min(start + column - 1, text.length);
}
