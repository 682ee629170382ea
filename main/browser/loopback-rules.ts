/** What is known about a request before anything is served. */
export interface LoopbackRequest {
  readonly method: string | undefined;
  /** All Host headers: they are meaningful only if there is exactly one. */
  readonly hosts: readonly string[];
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site`: who caused the request, according to the browser. */
  readonly site?: string | undefined;
}

export type Refusal =
  | { readonly status: 400; readonly why: "many_hosts" }
  | { readonly status: 421; readonly why: "foreign_host" }
  | { readonly status: 403; readonly why: "foreign_origin" }
  | { readonly status: 405; readonly why: "method_not_allowed" };

/**
 * The names that this server answers to. Any other is somebody's DNS name pointing here
 * (docs/threat-model.md).
 */
function ownHosts(port: number): readonly string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`];
}

/** Null if the request may be answered. */
export function refusalOfPage(request: LoopbackRequest, port: number): Refusal | null {
  const refusal = refusalOfHosts(request, port);
  if (refusal !== null) return refusal;
  if (request.origin !== undefined && !isOwnOrigin(request, port)) {
    return { status: 403, why: "foreign_origin" };
  }
  if (request.method !== "GET" && request.method !== "HEAD") {
    return { status: 405, why: "method_not_allowed" };
  }
  return null;
}

/** A download is requested by our own page, or by the person opening the address. */
export function refusalOfDownload(request: LoopbackRequest, port: number): Refusal | null {
  const refusal = refusalOfPage(request, port);
  if (refusal !== null) return refusal;
  const { method, site } = request;
  // Only taking the file uses up the ticket; a HEAD request must not.
  if (method !== "GET") return { status: 405, why: "method_not_allowed" };
  const isOurs = site === undefined || site === "same-origin" || site === "none";
  return isOurs ? null : { status: 403, why: "foreign_origin" };
}

/**
 * A page always sends its Origin with an upgrade, so a request without one is not from our page.
 */
export function refusalOfUpgrade(request: LoopbackRequest, port: number): Refusal | null {
  const refusal = refusalOfHosts(request, port);
  if (refusal !== null) return refusal;
  if (!isOwnOrigin(request, port)) return { status: 403, why: "foreign_origin" };
  return request.method === "GET" ? null : { status: 405, why: "method_not_allowed" };
}

function refusalOfHosts({ hosts }: LoopbackRequest, port: number): Refusal | null {
  // RFC 9112 §3.2
  if (hosts.length > 1) return { status: 400, why: "many_hosts" };
  return isOwnHost(hosts[0], port) ? null : { status: 421, why: "foreign_host" };
}

function isOwnHost(host: string | undefined, port: number): host is string {
  return host !== undefined && ownHosts(port).includes(host.toLowerCase());
}

/** The page's own origin: exactly the host that was requested, not just any of ours. */
function isOwnOrigin({ origin, hosts: [host] }: LoopbackRequest, port: number): boolean {
  return isOwnHost(host, port) && origin === `http://${host.toLowerCase()}`;
}
