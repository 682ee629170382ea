import { isIP } from "node:net";
import { networkHostOf } from "../../app/contract/network-host.ts";
import { isLoopbackAddress, isPublicAddress } from "../../runtime/net/addresses.ts";
import { Refusal } from "../refusal.ts";

const URL_FAULTS = ["not_a_url", "not_https", "has_credentials", "private_address"] as const;
type UrlFault = (typeof URL_FAULTS)[number];

/**
 * Where deliveries may go: `https:`, or loopback, where nobody can intercept them. Names are looked up
 * and checked again at each delivery.
 * @throws Refusal WEBHOOK_URL_REFUSED with `params.fault`
 */
export function checkedWebhookUrl(text: string): string {
  const fault = faultOf(text);
  if (fault !== undefined) throw new Refusal("WEBHOOK_URL_REFUSED", { fault });
  return new URL(text).href;
}

function faultOf(text: string): UrlFault | undefined {
  if (!URL.canParse(text)) return "not_a_url";
  const url = new URL(text);
  if (url.protocol !== "https:" && url.protocol !== "http:") return "not_https";
  if (url.username !== "" || url.password !== "") return "has_credentials";
  if (isLoopbackHost(url)) return undefined;
  if (url.protocol === "http:") return "not_https";
  const { host } = networkHostOf(url);
  return isIP(host) !== 0 && !isPublicAddress(host) ? "private_address" : undefined;
}

/** RFC 6761 §6.3: `localhost` is loopback; any other name is not, whatever it resolves to. */
export const isLoopbackHost = (url: URL): boolean =>
  url.hostname === "localhost" || isLoopbackAddress(networkHostOf(url).host);
