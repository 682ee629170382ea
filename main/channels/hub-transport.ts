import { Agent } from "node:https";
import tls from "node:tls";

type ProxiedFetch = typeof import("undici");

const isProxied = (): boolean => (process.env.HTTPS_PROXY ?? process.env.https_proxy ?? "") !== "";

let proxied: Promise<(url: URL, init: RequestInit) => Promise<Response>> | undefined;

/** Through the proxy that the environment names for https; loopback never. */
export function fetchHub(url: URL, init: RequestInit): Promise<Response> {
  if (url.protocol !== "https:" || !isProxied()) return fetch(url, init);
  proxied ??= import("undici").then(({ EnvHttpProxyAgent, fetch: undiciFetch }: ProxiedFetch) => {
    const dispatcher = new EnvHttpProxyAgent();
    // Its Response is the standard's, in other types than Node's.
    const ask = undiciFetch as unknown as (url: URL, init: object) => Promise<Response>;
    return (...[to, what]) => ask(to, { ...what, dispatcher });
  });
  return proxied.then((ask) => ask(url, init));
}

/** The same for a WebSocket. */
export const hubAgent = (url: string): Agent | undefined =>
  url.startsWith("https:") && isProxied() ? new Agent({ proxyEnv: process.env }) : undefined;

let isTrusting = false;

/** Besides Node's own and those of `NODE_EXTRA_CA_CERTS`: an organization's, which the system has. */
export function trustSystemCertificates(): void {
  if (isTrusting) return;
  isTrusting = true;
  const own = tls.getCACertificates("default");
  tls.setDefaultCACertificates([...new Set([...own, ...tls.getCACertificates("system")])]);
}

/** OpenSSL's and Node's codes, of which none can be overruled. */
export function certificateFault(error: unknown): string | null {
  const cause = error instanceof Error ? error.cause : undefined;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (/^CERT_(?:HAS_EXPIRED|NOT_YET_VALID)$/.test(code)) return "hub_certificate_expired";
  if (code === "ERR_TLS_CERT_ALTNAME_INVALID") return "hub_certificate_name";
  return /CERT|SELF_SIGNED|UNABLE_TO_|INVALID_CA/.test(code) ? "hub_certificate_untrusted" : null;
}
