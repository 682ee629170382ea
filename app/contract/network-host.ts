/** A host and one of its ports: grants, quiet periods and redirects know no host without. */
export interface NetworkHost {
  /** Lower-case name, dotted IPv4, or IPv6 without brackets; exactly this one. */
  readonly host: string;
  readonly port: number;
}

/** What of a URL says where it leads; WHATWG's has it. */
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

export const isSameHost = (one: NetworkHost, other: NetworkHost): boolean =>
  one.host === other.host && one.port === other.port;

/** As people write it: `nas:8080`, `[fd00::1]:80`. */
export const hostText = ({ host, port }: NetworkHost): string =>
  host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
