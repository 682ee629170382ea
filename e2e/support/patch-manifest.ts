import type { Credentials } from "./running-agent.ts";

/** Gives the agent a new manifest, as its developer's own tools would. */
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
