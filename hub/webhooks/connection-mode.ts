import { isIP } from "node:net";
import { guardOf } from "../../app/contract/checked.ts";
import { isJsonObject, ownValue } from "../../app/contract/json.ts";
import { networkHostOf } from "../../app/contract/network-host.ts";
import { ConnectionChange, type ConnectionChanged } from "../../app/protocol/v1/rest.ts";
import { isLoopbackAddress, isPublicAddress } from "../../runtime/net/addresses.ts";
import { refusal } from "../hub-error.ts";
import type { RandomBytes } from "../hub-options.ts";
import type { Webhook } from "../hub-records.ts";
import { bodyAs } from "../rest/route.ts";

const URL_FAULTS = ["not_a_url", "not_https", "has_credentials", "private_address"] as const;
type UrlFault = (typeof URL_FAULTS)[number];

/**
 * Where deliveries may go: `https:`, or loopback, where nobody can intercept them. Names are looked up
 * and checked again at each delivery.
 * @throws Refusal WEBHOOK_URL_REFUSED with `params.fault`
 */
export function checkedWebhookUrl(text: string): string {
  const fault = faultOf(text);
  if (fault !== undefined) throw refusal("WEBHOOK_URL_REFUSED", { fault });
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

const isConnectionChange = guardOf(ConnectionChange);

/**
 * What a PATCH says about the connection; `undefined` when it is about the manifest, which has no
 * such member.
 * @throws Refusal BAD_REQUEST
 */
export function connectionChangeIn(body: Buffer): ConnectionChange | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
  const isOne = isJsonObject(value) && ownValue(value, "connection_mode") !== undefined;
  return isOne ? bodyAs(body, isConnectionChange) : undefined;
}

/**
 * Where the hub calls the agent from now on, if it does.
 * @throws Refusal BAD_REQUEST, WEBHOOK_URL_REFUSED
 */
export function webhookOf(
  agent_id: string,
  { connection_mode, webhook_url }: ConnectionChange,
  random: RandomBytes,
): Webhook | undefined {
  const hasUrl = webhook_url !== undefined;
  if (hasUrl !== (connection_mode === "webhook")) {
    throw refusal("BAD_REQUEST", { fault: "webhook_url" });
  }
  if (!hasUrl) return undefined;
  return { agent_id, url: checkedWebhookUrl(webhook_url), secret: newWebhookSecret(random) };
}

/** What the agent is told about the change. The secret is never shown again. */
export const connectionChanged = (
  agent_id: string,
  webhook: Webhook | undefined,
): ConnectionChanged =>
  webhook === undefined
    ? { agent_id, connection_mode: "websocket" }
    : {
        agent_id,
        connection_mode: "webhook",
        webhook_url: webhook.url,
        webhook_secret: webhook.secret,
      };

const SECRET_BYTES = 32;

/** Base64 of 32 random bytes, shown once. */
const newWebhookSecret = (random: RandomBytes): string =>
  Buffer.from(random(SECRET_BYTES)).toString("base64");
