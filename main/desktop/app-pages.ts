/** The scheme under which the renderer is served, instead of file:// with its wide permissions. */
export const SCHEME = "consentry";
const APP_HOST = "app";

const WINDOW_KINDS = ["main", "consent"] as const;
export type WindowKind = (typeof WINDOW_KINDS)[number];

export const PAGE_URLS = {
  main: `${SCHEME}://${APP_HOST}/index.html`,
  consent: `${SCHEME}://${APP_HOST}/consent.html`,
} as const satisfies Record<WindowKind, string>;

/** Whether `url` is exactly the page that windows of this kind show, whatever its fragment. */
export function isPageOf(kind: WindowKind, url: string): boolean {
  const at = URL.parse(url);
  const own = new URL(PAGE_URLS[kind]);
  return (
    at !== null &&
    at.protocol === own.protocol &&
    at.host === own.host &&
    at.pathname === own.pathname &&
    at.username === "" &&
    at.password === ""
  );
}

/** The requested path, or null if the address is not one of ours. */
export function appPathOf(url: string): string | null {
  const at = URL.parse(url);
  if (at === null || at.protocol !== `${SCHEME}:` || at.host !== APP_HOST) return null;
  return at.pathname;
}
