const SUFFIX = ".double.invalid";

/** `consentry://app/x` → `https://app.consentry.double.invalid/x`; other addresses stay. */
export function toPageUrl(appUrl: string): string {
  const match = /^([a-z][a-z0-9]*):\/\/([^/?#]+)(.*)$/s.exec(appUrl);
  if (match === null || match[1] === "http" || match[1] === "https") return appUrl;
  return `https://${match[2]}.${match[1]}${SUFFIX}${match[3]}`;
}

/** The other way round; addresses that were never translated stay as they are. */
export function toAppUrl(pageUrl: string): string {
  const match = /^https:\/\/([^/?#]+)\.([a-z][a-z0-9]*)\.double\.invalid(.*)$/s.exec(pageUrl);
  return match === null ? pageUrl : `${match[2]}://${match[1]}${match[3]}`;
}
