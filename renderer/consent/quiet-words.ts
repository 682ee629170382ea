import { assertNever } from "../../app/contract/assert-never.ts";
import type { CallSubject } from "../../app/contract/call-subject.ts";
import { mixedScriptWords } from "../../app/contract/mixed-scripts.ts";
import { hostText, type NetworkHost } from "../../app/contract/network-host.ts";
import { roomOf } from "../../app/contract/target/room.ts";
import { targetPath } from "../../app/contract/target/target-path.ts";
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
    case "file": {
      const { kind } = subject;
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
