/** What is known of a request before anything is served. */
export interface LoopbackRequest {
  readonly method: string | undefined;
  /** Of every Host line there was: only one that stands alone says whom the sender means. */
  readonly hosts: readonly string[];
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site`: who caused the request, as the browser says. */
  readonly site?: string | undefined;
}

export type Refusal =
  | { readonly status: 400; readonly why: "many_hosts" }
  | { readonly status: 421; readonly why: "foreign_host" }
  | { readonly status: 403; readonly why: "foreign_origin" }
  | { readonly status: 405; readonly why: "method_not_allowed" };

/** The names this server answers to. Any other is somebody's DNS pointing here (docs/threat-model.md). */
function ownHosts(port: number): readonly string[] {
  return [`127.0.0.1:${port}`, `localhost:${port}`];
}

/** Null when the request may be answered. */
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

/** What a download is taken by: our own page, or the person opening the address. */
export function refusalOfDownload(request: LoopbackRequest, port: number): Refusal | null {
  const refusal = refusalOfPage(request, port);
  if (refusal !== null) return refusal;
  const { method, site } = request;
  // The ticket is used up by what takes the file: a look at the headers must not.
  if (method !== "GET") return { status: 405, why: "method_not_allowed" };
  const isOurs = site === undefined || site === "same-origin" || site === "none";
  return isOurs ? null : { status: 403, why: "foreign_origin" };
}

/** A page always sends its Origin with an upgrade: one without it is no page of ours. */
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

/** The page's own origin: the very host that was asked, not merely one of ours. */
function isOwnOrigin({ origin, hosts: [host] }: LoopbackRequest, port: number): boolean {
  return isOwnHost(host, port) && origin === `http://${host.toLowerCase()}`;
}
