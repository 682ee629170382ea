import { guardOf } from "../../app/contract/checked.ts";
import { isJsonObject, ownValue } from "../../app/contract/json.ts";
import { ConnectionChange, type ConnectionChanged } from "../../app/protocol/v1/rest.ts";
import type { RandomBytes } from "../hub-options.ts";
import type { Webhook } from "../hub-records.ts";
import { Refusal } from "../refusal.ts";
import { bodyAs } from "../rest/route.ts";
import { newWebhookSecret } from "../webhooks/signature.ts";
import { checkedWebhookUrl } from "../webhooks/webhook-url.ts";

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
    throw new Refusal("BAD_REQUEST", { fault: "webhook_url" });
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
