import { createHmac } from "node:crypto";
import type { RandomBytes } from "../hub-options.ts";

const SECRET_BYTES = 32;

/** Base64 of 32 random bytes, shown once. */
export const newWebhookSecret = (random: RandomBytes): string =>
  Buffer.from(random(SECRET_BYTES)).toString("base64");

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
