import { assertNever } from "../../app/contract/assert-never.ts";
import type { CallSubject } from "../../app/contract/call-subject.ts";
import { mixedScriptWords } from "../../app/contract/mixed-scripts.ts";
import { hostText, type NetworkHost } from "../../app/contract/network-host.ts";
import { roomOf } from "../../app/contract/target/room.ts";
import { type CallTarget, type OnePathKind, targetPath } from "../../app/contract/target/target.ts";
import type { Translate } from "../../i18n/index.ts";
import { visibleString } from "../text/visible-text.ts";

/** An answer: its button's text, what it does, and for how long. */
interface AnswerWords {
  readonly name: string;
  readonly does: string;
}

export interface QuietWords {
  /** For what the card shows. */
  readonly here: AnswerWords;
  /** For the whole scope; null if that would be the same. */
  readonly wider: AnswerWords | null;
}

/** Longer names would push the other answers away; the full name is beside the button. */
const NAME_ROOM = 40;

/**
 * The texts of the answers that start a quiet period.
 *
 * @param scope the scope's displayed label
 * @param folders paths of the agent's folders
 */
export function quietWords(
  t: Translate,
  subject: CallSubject,
  scope: string,
  folders: readonly string[],
): QuietWords {
  const wider = (kind: "host" | "folder"): AnswerWords => ({
    name: t(`consent.allow_scope_in_conversation.${kind}`),
    does: t(`consent.allow_scope_in_conversation_does.${kind}`),
  });
  switch (subject.kind) {
    case "scope": {
      const name = t("consent.allow_in_conversation.scope");
      return {
        here: { name, does: t("consent.allow_in_conversation_does.scope", { scope }) },
        wider: null,
      };
    }
    case "host": {
      const host = visibleString(hostText(subject));
      const short = shortName(hostName(subject));
      const name =
        short === null
          ? t("consent.allow_in_conversation.host_unnamed")
          : t("consent.allow_in_conversation.host", { host: short });
      return {
        here: { name, does: t("consent.allow_in_conversation_does.host", { host }) },
        wider: wider("host"),
      };
    }
    case "folder":
    case "file":
    case "named_file": {
      const kind = subject.kind === "folder" ? "folder" : "file";
      const path = visibleString(subject.path);
      const short = shortName(pathName(subject.path, folders));
      const name =
        short === null
          ? t(`consent.allow_in_conversation.${kind}_unnamed`)
          : t(`consent.allow_in_conversation.${kind}`, { name: short });
      return {
        here: { name, does: t(`consent.allow_in_conversation_does.${kind}`, { path }) },
        wider: wider("folder"),
      };
    }
    default:
      return assertNever(subject);
  }
}

/** Null if it is too long for a button, or may look like another name. */
function shortName(name: string): string | null {
  if (mixedScriptWords(name).length > 0) return null;
  const shown = visibleString(name);
  return roomOf(shown) > NAME_ROOM ? null : shown;
}

/** Begins with the agent's folder, as in the card's heading. */
function pathName(path: string, folders: readonly string[]): string {
  const target = targetPath(path, folders, 1);
  return target === null ? path : `${target.inside ? target.lead : ""}${target.name}`;
}

const hostName = (host: NetworkHost): string =>
  [80, 443].includes(host.port) ? host.host : hostText(host);

/** Longer names would push the other answers away. */
const NAME_CHARS = 32;

/** The text of an approval's button. */
interface ApprovalName {
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
    case "use_tool":
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
