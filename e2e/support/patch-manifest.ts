import type { Credentials } from "./running-agent.ts";

/** The agent describes itself anew, as its own developer's tools would have the hub told. */
export async function patchManifest(
  hub: string,
  { agentId, token }: Credentials,
  manifest: object,
): Promise<void> {
  const answer = await fetch(new URL(`/agents/${agentId}`, hub), {
    method: "PATCH",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify(manifest),
  });
  if (!answer.ok) throw new Error(`the hub answered ${answer.status}`);
}
