import { assertNever } from "../../app/contract/assert-never.ts";
import { mixedScriptWords } from "../../app/contract/mixed-scripts.ts";
import type { CallTarget, OnePathKind } from "../../app/contract/target/target.ts";
import { visibleString } from "../text/visible-text.ts";

/** Longer names would push the other answers away. */
const NAME_CHARS = 32;

/** The text of an approval's button. */
export interface ApprovalName {
  readonly kind: OnePathKind | "move" | "run" | "fetch" | "send";
  /** For display only, beside the complete target in the card's heading. */
  readonly name: string;
}

/**
 * What an approval concerns; null if that is not a single thing, or its name cannot be shown
 * completely and unambiguously in a button.
 */
export function approvalName(target: CallTarget): ApprovalName | null {
  switch (target.kind) {
    case "read":
    case "list":
    case "search":
    case "inspect":
    case "create":
    case "replace":
    case "write":
    case "edit":
    case "make_folder":
    case "delete":
    case "delete_folder":
      return named(target.kind, target.parts.path.name);
    case "search_text":
    case "search_names":
    case "search_both":
      return named("search", target.parts.path.name);
    case "move":
      return named(target.kind, target.parts.from.name);
    case "run":
      return target.parts.command.whole ? named(target.kind, target.parts.command.text) : null;
    case "fetch":
    case "fetch_headers":
      return named("fetch", target.parts.address.host);
    case "send":
      return named(target.kind, target.parts.address.host);
    case "copy_text":
    case "copy_image":
    case "notify":
    case "read_clipboard":
    case "read_clipboard_image":
    case "locate":
    case "locate_exactly":
    case "other":
      return null;
    default:
      return assertNever(target);
  }
}

function named(kind: ApprovalName["kind"], text: string): ApprovalName | null {
  if (/^\.*$/.test(text) || mixedScriptWords(text).length > 0) return null;
  const name = visibleString(text);
  return [...name].length > NAME_CHARS ? null : { kind, name };
}
