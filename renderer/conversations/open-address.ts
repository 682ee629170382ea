import type { ConversationShown } from "../../app/bridge/events.ts";
import { pageAddress, pageOf, pageQuery, useFragment } from "../page/page-address.ts";

const ID_CHARS = 128;

/** The conversation named in the fragment (`#/conversations?open=…`); null if there is none. */
export function openIn(fragment: string): string | null {
  if (pageOf(fragment) !== "conversations") return null;
  const named = new URLSearchParams(pageQuery(fragment)).get("open") ?? "";
  return named === "" || named.length > ID_CHARS ? null : named;
}

export const addressOf = (conversation_id: string | null): string =>
  pageAddress(
    "conversations",
    conversation_id === null ? "" : new URLSearchParams({ open: conversation_id }).toString(),
  );

/** The conversation to open, named in the page's address beside the key; null: none. */
export function addressedConversation(fragment: string): ConversationShown | null {
  const named = new URLSearchParams(fragment.replace(/^#/, ""));
  const agent_id = named.get("agent");
  const conversation_id = named.get("conversation");
  return agent_id === null || conversation_id === null ? null : { agent_id, conversation_id };
}

/** Which conversation is open. In the address, so the browser's Back returns to the list. */
export const useOpenConversation = (): readonly [string | null, (id: string | null) => void] => [
  openIn(useFragment()),
  change,
];

function change(id: string | null): void {
  window.location.hash = addressOf(id);
}
