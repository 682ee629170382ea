import { guardOf } from "../../app/contract/checked.ts";
import { isJsonObject, ownValue } from "../../app/contract/json.ts";
import { ConnectionChange, type ConnectionChanged } from "../../app/protocol/v1/rest.ts";
import type { HubParts } from "../hub-parts.ts";
import { CLOSE } from "../lines/close-codes.ts";
import { Refusal } from "../refusal.ts";
import { announceConnectionMode } from "../relations/announce-relation.ts";
import { bodyAs } from "../rest/route.ts";
import { announcePresence } from "../sessions/announce-presence.ts";
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

/** @throws Refusal BAD_REQUEST, WEBHOOK_URL_REFUSED */
export function checkConnectionChange({ connection_mode, webhook_url }: ConnectionChange): void {
  const hasUrl = webhook_url !== undefined;
  if (hasUrl !== (connection_mode === "webhook")) {
    throw new Refusal("BAD_REQUEST", { fault: "webhook_url" });
  }
  if (hasUrl) checkedWebhookUrl(webhook_url);
}

/**
 * How the agent is reached from now on. What waits for it waits on, whichever way it goes.
 * @returns for a webhook also its secret, which nobody is told again
 * @throws Refusal as `checkConnectionChange`
 */
export function changeConnection(
  parts: HubParts,
  agent_id: string,
  change: ConnectionChange,
): ConnectionChanged {
  checkConnectionChange(change);
  const wasOnline = parts.connections.isOnline(agent_id);
  const wasCalled = parts.webhooks.has(agent_id);
  const changed =
    change.webhook_url === undefined
      ? toWebSocket(parts, agent_id)
      : toWebhook(parts, agent_id, checkedWebhookUrl(change.webhook_url));
  if (parts.webhooks.has(agent_id) !== wasCalled) announceConnectionMode(parts, agent_id);
  if (parts.connections.isOnline(agent_id) !== wasOnline) announcePresence(parts, agent_id);
  return changed;
}

function toWebSocket(parts: HubParts, agent_id: string): ConnectionChanged {
  parts.atomically(() => parts.webhookStore.remove(agent_id));
  parts.webhooks.switchedOff(agent_id);
  return { agent_id, connection_mode: "websocket" };
}

function toWebhook(parts: HubParts, agent_id: string, url: string): ConnectionChanged {
  const secret = newWebhookSecret(parts.random);
  const webhook = { agent_id, url, secret };
  parts.atomically(() => parts.webhookStore.put(webhook));
  parts.webhooks.switchedOn(webhook);
  // Only now: the agent counts as there all the time.
  parts.connections.closeAll(agent_id, CLOSE.webhookMode);
  return { agent_id, connection_mode: "webhook", webhook_url: url, webhook_secret: secret };
}
