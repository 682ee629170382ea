import type { ConsentPreview } from "../../../../app/contract/consent-preview.ts";
import type { Preview } from "../../../../app/execution/ports.ts";
import { textOf } from "../../text-of.ts";
import { ABSENT, type PresentFile } from "./present-file.ts";
import { textHunks } from "./text-hunks.ts";

/** What the person is shown of new content: a text difference, or only that bytes change. */
export function contentPreview(
  present: PresentFile | null,
  after: Uint8Array,
  change: "write" | "edit",
): Preview {
  const facts = {
    size_before: present === null ? null : Number(present.stat.size),
    size_after: after.length,
    executable: present !== null && (present.stat.mode & ANY_MAY_RUN) !== 0n,
  };
  const written = present === null ? "create" : "replace";
  const hunks = hunksOf(present === null ? NO_BYTES : present.bytes, after);
  const shown: ConsentPreview =
    hunks === null
      ? { kind: "bytes_change", change: written, ...facts }
      : { kind: "text_change", change: change === "edit" ? "edit" : written, ...facts, hunks };
  return { shown, seen: present?.mark ?? ABSENT };
}

const NO_BYTES = new Uint8Array();
/** Windows has no such bit in Node; there the file name's extension decides. */
const ANY_MAY_RUN = 0o111n;

function hunksOf(before: Uint8Array | null, after: Uint8Array) {
  const old = before === null ? null : shownText(before);
  const next = shownText(after);
  return old === null || next === null ? null : textHunks(old, next);
}

/** A NUL is valid UTF-8, but does not occur in text. */
function shownText(bytes: Uint8Array): string | null {
  return bytes.includes(0) ? null : textOf(bytes);
}
