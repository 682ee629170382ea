import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import type { Clock, Scheduler } from "../hub-options.ts";
import { guardedLookup, mayCall } from "./guarded-lookup.ts";
import { signatureOf } from "./signature.ts";

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
