import type { HubLink } from "../program-parts.ts";

/** An address or an invitation; over a network only with TLS. Null: it is neither. */
export function hubLinkIn(text: string): HubLink | null {
  const url = URL.canParse(text) ? new URL(text) : null;
  const isLocal = url?.protocol === "http:" && /^(?:127\.0\.0\.1|localhost)$/.test(url.hostname);
  const [, invitation] = /^(?:#(hsi_[0-9A-Za-z]{40}))?$/.exec(url?.hash ?? "") ?? [null, null];
  const isPlain = url !== null && `${url.origin}/` === `${url.href.split("#")[0]}`;
  if (!isPlain || invitation === null || !(isLocal || url.protocol === "https:")) return null;
  return { url: url.origin, invitation };
}
