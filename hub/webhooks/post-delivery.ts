import { createHmac } from "node:crypto";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { networkHostOf } from "../../app/contract/network-host.ts";
import {
  isElsewhere,
  isLoopbackAddress,
  lookupBy,
  type NetworkView,
  systemNetwork,
} from "../../runtime/net/addresses.ts";
import type { Clock, Scheduler } from "../hub-options.ts";
import { isLoopbackHost } from "./connection-mode.ts";

interface WebhookPost {
  readonly agentId: string;
  readonly url: string;
  readonly secret: string;
  readonly deliveryId: string;
  readonly body: Uint8Array;
}

/** @returns whether the endpoint took it: 2xx. Never rejects. */
export type PostDelivery = (post: WebhookPost, signal: AbortSignal) => Promise<boolean>;

/** From the first byte sent to the end of the answer's head. */
const ANSWER_WITHIN_MS = 10_000;

/** Signs and posts. Follows no redirect, reads no body, and reaches only where the URL may lead. */
export function postDelivery(clock: Clock, scheduler: Scheduler): PostDelivery {
  return (post, signal) =>
    new Promise((resolve) => {
      const url = new URL(post.url);
      if (!mayCall(url)) return resolve(false);
      const request = url.protocol === "https:" ? requestHttps : requestHttp;
      const sent = request(url, {
        method: "POST",
        agent: false,
        lookup: guardedLookup(url),
        headers: headersOf(post, clock.now()),
        signal,
      });
      const cancel = scheduler.after(ANSWER_WITHIN_MS, () => sent.destroy());
      const settle = (isTaken: boolean) => {
        cancel();
        resolve(isTaken);
      };
      sent.on("response", (response) => {
        const status = response.statusCode ?? 0;
        // The rest of the answer is not read.
        response.destroy();
        settle(status >= 200 && status < 300);
      });
      sent.on("error", () => settle(false));
      sent.on("close", () => settle(false));
      sent.end(post.body);
    });
}

function headersOf(post: WebhookPost, now: number): Record<string, string | number> {
  // In the moment it is sent, not when it came about: the receiver refuses what is older than 5 min.
  const timestamp = String(Math.floor(now / 1_000));
  return {
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": post.body.byteLength,
    "User-Agent": "Consentry-Hub",
    "X-Hashee-Signature": signatureOf(post.secret, timestamp, post.deliveryId, post.body),
    "X-Hashee-Timestamp": timestamp,
    "X-Hashee-Delivery-Id": post.deliveryId,
    "X-Hashee-Agent-Id": post.agentId,
  };
}

/** The addresses a delivery may go to as things are now: this computer's own only where the URL says so. */
function reachable(url: URL, network: NetworkView): (address: string) => boolean {
  if (isLoopbackHost(url)) return isLoopbackAddress;
  const own = network.ownAddresses();
  return (address) => isElsewhere(address, own);
}

/** False for a URL that names an address and no longer leads elsewhere. Nothing is looked up for it. */
export function mayCall(url: URL, network: NetworkView = systemNetwork): boolean {
  const { host } = networkHostOf(url);
  return isIP(host) === 0 || reachable(url, network)(host);
}

/**
 * Looks a name up and gives only addresses the URL may lead to, so that a name which is private
 * now, and was public when it was registered, leads nowhere.
 */
export const guardedLookup = (url: URL, network: NetworkView = systemNetwork): LookupFunction =>
  lookupBy(async (name) => (await network.lookupAll(name)).filter(reachable(url, network)));

/**
 * platform: hex HMAC-SHA256 over `timestamp.delivery_id.rawBody`. The key is the secret's text as
 * it was shown, not the bytes its base64 stands for.
 */
export const signatureOf = (
  secret: string,
  timestamp: string,
  deliveryId: string,
  rawBody: Uint8Array,
): string =>
  createHmac("sha256", secret).update(`${timestamp}.${deliveryId}.`).update(rawBody).digest("hex");
