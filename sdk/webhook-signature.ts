import { WEBHOOK_HEADERS, WEBHOOK_WINDOW_MS } from "../app/protocol/v1/webhook.ts";

/** A `Headers` object, or Node's plain one; names in any case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>;

export interface SignatureOptions {
  /** Milliseconds since the epoch. Default: the clock of this computer. */
  readonly now?: () => number;
}

/**
 * Whether a delivery comes from the hub and is recent: its signature matches, and its time is within
 * 5 minutes of `now`, in either direction. Never throws. It does not detect repeated deliveries: see
 * `SeenDeliveries`.
 *
 * @param secret as the hub showed it
 * @param rawBody the unparsed body
 */
export async function verifyWebhookSignature(
  secret: string,
  headers: WebhookHeaders,
  rawBody: string | Uint8Array,
  { now = Date.now }: SignatureOptions = {},
): Promise<boolean> {
  const signature = hexBytes(webhookHeader(headers, WEBHOOK_HEADERS.signature));
  const timestamp = webhookHeader(headers, WEBHOOK_HEADERS.timestamp);
  const deliveryId = webhookHeader(headers, WEBHOOK_HEADERS.deliveryId);
  if (signature === undefined || timestamp === undefined || deliveryId === undefined) return false;
  if (secret === "" || !/^\d{1,12}$/.test(timestamp)) return false;
  if (Math.abs(now() - Number(timestamp) * 1_000) > WEBHOOK_WINDOW_MS) return false;
  const signed = joined(`${timestamp}.${deliveryId}.`, rawBody);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = await crypto.subtle.importKey("raw", utf8(secret), algorithm, false, ["verify"]);
  // WebCrypto compares in constant time.
  return crypto.subtle.verify("HMAC", key, signature, signed);
}

/** `undefined` when it is missing or present more than once. */
export function webhookHeader(headers: WebhookHeaders, name: string): string | undefined {
  if ("get" in headers && typeof headers.get === "function") return headers.get(name) ?? undefined;
  const found = Object.entries(headers).filter(([key]) => key.toLowerCase() === name);
  const [value] = found.flatMap(([, each]) => each ?? []);
  return found.length === 1 && typeof value === "string" ? value : undefined;
}

function hexBytes(text: string | undefined): Uint8Array<ArrayBuffer> | undefined {
  if (text === undefined || !/^[0-9a-f]{64}$/i.test(text)) return undefined;
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

const utf8 = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);

function joined(head: string, body: string | Uint8Array): Uint8Array<ArrayBuffer> {
  const first = utf8(head);
  const rest = typeof body === "string" ? utf8(body) : body;
  const whole = new Uint8Array(first.byteLength + rest.byteLength);
  whole.set(first);
  whole.set(rest, first.byteLength);
  return whole;
}

export interface SeenDeliveriesOptions {
  /** Milliseconds that an id is remembered. Default 25 hours: the hub retries for 24. */
  readonly keepMs?: number;
  /** The most ids remembered; after that the oldest is forgotten. Default 10 000. */
  readonly atMost?: number;
  /** Milliseconds since the epoch. Default: the clock of this computer. */
  readonly now?: () => number;
}

/**
 * The delivery ids that this process has handled. The hub delivers at least once: answer a repeated
 * delivery with 200 and do nothing. Remember an id after handling it, not before, so that a failed
 * delivery is handled when it is repeated.
 */
export class SeenDeliveries {
  readonly #keepMs: number;
  readonly #atMost: number;
  readonly #now: () => number;
  /** Id → when it was remembered; the oldest first. */
  readonly #seen = new Map<string, number>();

  constructor({
    keepMs = 25 * 3_600_000,
    atMost = 10_000,
    now = Date.now,
  }: SeenDeliveriesOptions = {}) {
    this.#keepMs = keepMs;
    this.#atMost = atMost;
    this.#now = now;
  }

  has(deliveryId: string): boolean {
    const at = this.#seen.get(deliveryId);
    return at !== undefined && this.#now() - at <= this.#keepMs;
  }

  remember(deliveryId: string): void {
    this.#seen.delete(deliveryId);
    this.#seen.set(deliveryId, this.#now());
    for (const [id, at] of this.#seen) {
      if (this.#seen.size <= this.#atMost && this.#now() - at <= this.#keepMs) return;
      this.#seen.delete(id);
    }
  }
}
