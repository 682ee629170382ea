/** A host with one of its ports: grants, quiet periods and redirects always name both. */
export interface NetworkHost {
  /** Lower-case name, dotted IPv4, or IPv6 without brackets; exactly this one. */
  readonly host: string;
  readonly port: number;
}

/** The parts of a URL that say where it leads, as in WHATWG's `URL`. */
interface UrlPlace {
  readonly protocol: string;
  readonly hostname: string;
  /** Empty for the scheme's own. */
  readonly port: string;
}

export const networkHostOf = ({ protocol, hostname, port }: UrlPlace): NetworkHost => ({
  host: hostname.replace(/^\[(.*)\]$/, "$1"),
  port: Number(port || (protocol === "https:" ? 443 : 80)),
});

/** A web address as people type it, also without `https://`; null: it is none. */
export function typedAddress(typed: string): URL | null {
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(typed);
  const url = URL.parse(hasScheme ? typed : `https://${typed}`);
  return url !== null && /^https?:$/.test(url.protocol) ? url : null;
}

/**
 * A host as calls name it, from what somebody wrote: lower case, Punycode, no scheme and no final dot. Null: no
 * call can ever name it, such as one with a `*`.
 */
export function plainHost(written: string): string | null {
  const bare = written.replace(/^https?:\/\//i, "").replace(/\/$/, "");
  if (/[/?#@*\\\s%]/.test(bare)) return null;
  const isAddress = /^[0-9a-f]*:[0-9a-f:.]+$/i.test(bare);
  const url = typedAddress(isAddress ? `[${bare}]` : bare);
  if (url === null || url.port !== "" || (!isAddress && /:\d*$/.test(bare))) return null;
  const plain = networkHostOf(url).host.replace(/\.$/, "");
  return /^[a-z0-9_:-][a-z0-9._:-]*$/.test(plain) ? plain : null;
}

export const isSameHost = (one: NetworkHost, other: NetworkHost): boolean =>
  one.host === other.host && one.port === other.port;

/** As people write it: `nas:8080`, `[fd00::1]:80`. */
export const hostText = ({ host, port }: NetworkHost): string =>
  host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
