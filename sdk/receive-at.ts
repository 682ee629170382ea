import { isJsonObject, ownValue } from "../app/contract/json.ts";
import { AgentError, type AgentErrorCode } from "./agent-error.ts";
import { askHub, type HubPorts } from "./hub-request.ts";

const REFUSALS: Readonly<Record<string, AgentErrorCode>> = {
  UNAUTHENTICATED: "invalid_token",
  AGENT_REMOVED: "agent_removed",
};

/**
 * Sets the address that the hub posts an agent's deliveries to.
 * @returns the secret that signs the deliveries
 * @throws AgentError `webhook_refused`, `invalid_token`, `agent_removed`, `hub_unreachable`,
 * `invalid_base_url`
 */
export async function receiveAt(
  ports: HubPorts,
  { agentId, token }: { readonly agentId: string; readonly token: string },
  webhook_url: string,
): Promise<string> {
  const answer = await askHub(ports, {
    method: "PATCH",
    path: `/agents/${encodeURIComponent(agentId)}`,
    token,
    body: { connection_mode: "webhook", webhook_url },
  });
  if (answer.kind === "refused") {
    throw new AgentError(REFUSALS[answer.code] ?? "webhook_refused");
  }
  const data = answer.kind === "data" && isJsonObject(answer.data) ? answer.data : {};
  const secret = ownValue(data, "webhook_secret");
  if (typeof secret !== "string") throw new AgentError("hub_unreachable");
  return secret;
}
