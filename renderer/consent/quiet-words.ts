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
      const name = t("consent.allow_in_conversation.host", {
        host: named(hostName(subject)) ?? t("consent.this_host"),
      });
      return {
        here: { name, does: t("consent.allow_in_conversation_does.host", { host }) },
        wider: wider("host"),
      };
    }
    case "folder": {
      const path = visibleString(subject.path);
      const folder = named(folderName(subject.path)) ?? t("consent.this_folder");
      const name = t("consent.allow_in_conversation.folder", { folder });
      return {
        here: { name, does: t("consent.allow_in_conversation_does.folder", { path }) },
        wider: wider("folder"),
      };
    }
    default:
      return assertNever(subject);
  }
}

const named = (name: string): string | null =>
  [...visibleString(name)].length > NAME_CHARS ? null : visibleString(name);

const folderName = (path: string): string =>
  path.split(path.startsWith("/") ? "/" : "\\").at(-1) ?? "";

const hostName = (host: NetworkHost): string =>
  [80, 443].includes(host.port) ? host.host : hostText(host);
