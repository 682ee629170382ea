import type { ConversationView, MemberView } from "../../../app/bridge/conversation-views.ts";
import { createI18n, LOCALES, type LocaleName } from "../../../i18n/index.ts";
import { Looks, markOf } from "../../names/looks.ts";

/** The languages a page may be in. */
const TEXTS = (Object.keys(LOCALES) as LocaleName[]).map((name) => createI18n(name).t);

/** A conversation whose title was not compared with the others. */
export type Unmarked = Omit<ConversationView, "title_is_shared" | "title_mark">;

/** All names of a conversation, on its own page and elsewhere. */
function namesOf({ kind, title, members }: Unmarked): readonly string[] {
  switch (kind) {
    case "system":
      return TEXTS.map((t) => t("conversations.system"));
    case "direct":
      return [title ?? "", ...TEXTS.map((t) => t("conversations.with", { agent: title ?? "" }))];
    case "group":
      return [title ?? membersIn(members)];
  }
}

const membersIn = (members: readonly MemberView[]): string =>
  members.flatMap(({ is_me, name, petname }) => (is_me ? [] : [petname ?? name ?? ""])).join(", ");

/** Other names are agents', which their keys distinguish. */
const isToldById = ({ kind, relation }: Unmarked): boolean =>
  kind === "group" || relation === "revoked";

/**
 * A group may have any title, and a removed agent keeps its name. If it looks like another
 * conversation's, both are marked as shared.
 */
export function withSharedTitles(views: readonly Unmarked[]): readonly ConversationView[] {
  const told = new Looks<string>();
  const others = new Looks<string>();
  const named = views.map((view) => ({ view, names: namesOf(view) }));
  for (const { view, names } of named) {
    const looks = isToldById(view) ? told : others;
    for (const name of names) looks.add(view.conversation_id, name);
  }
  return named.map(({ view, names }) => {
    const id = view.conversation_id;
    const isShared = (name: string) =>
      told.isShared(id, name) || (isToldById(view) && others.isShared(id, name));
    return {
      ...view,
      title_is_shared: names.some(isShared),
      title_mark: view.title === null ? null : markOf(view.title),
    };
  });
}
