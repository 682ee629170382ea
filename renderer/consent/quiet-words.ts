import { assertNever } from "../../app/contract/assert-never.ts";
import type { CallSubject } from "../../app/contract/call-subject.ts";
import { hostText, type NetworkHost } from "../../app/contract/network-host.ts";
import type { Translate } from "../../i18n/index.ts";
import { visibleString } from "../text/visible-text.ts";

/** An answer: what its button says, and what it does and for how long. */
export interface AnswerWords {
  readonly name: string;
  readonly does: string;
}

export interface QuietWords {
  /** For what the card shows. */
  readonly here: AnswerWords;
  /** For the whole scope; null where that is no more. */
  readonly wider: AnswerWords | null;
}

/** Longer names would push the other answers away; the whole of it stands beside the button. */
const NAME_CHARS = 32;

/** What keeps quiet in the conversation. `scope`: the scope's label, as drawn. */
export function quietWords(t: Translate, subject: CallSubject, scope: string): QuietWords {
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
    case "folder": {
      const path = visibleString(subject.path);
      const short = shortName(folderName(subject.path));
      const name =
        short === null
          ? t("consent.allow_in_conversation.folder_unnamed")
          : t("consent.allow_in_conversation.folder", { folder: short });
      return {
        here: { name, does: t("consent.allow_in_conversation_does.folder", { path }) },
        wider: wider("folder"),
      };
    }
    default:
      return assertNever(subject);
  }
}

function shortName(name: string): string | null {
  const shown = visibleString(name);
  return [...shown].length > NAME_CHARS ? null : shown;
}

const folderName = (path: string): string =>
  path.split(path.startsWith("/") ? "/" : "\\").at(-1) ?? "";

const hostName = (host: NetworkHost): string =>
  [80, 443].includes(host.port) ? host.host : hostText(host);
