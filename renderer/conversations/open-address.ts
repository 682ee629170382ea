import { pageAddress, pageOf, pageQuery } from "../page-address.ts";

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
