import { expect, it } from "vitest";
import { agentWith } from "../execution/testing/chain-harness.ts";
import { grantedScopes, isHubAgent } from "./grant.ts";

it("an agent is the hub's while it has a relation there", () => {
  const agent = agentWith({});
  expect(isHubAgent(agent)).toBe(true);
  expect(isHubAgent({ ...agent, relation: null })).toBe(false);
});

it("granted scopes are those of the manifest that were given, not denied and not left open", () => {
  const grants = { "clipboard:read": "revoked", "filesystem:read": undefined } as const;
  const agent = agentWith({ grants });
  expect(grantedScopes(agent)).toEqual(["notification:send", "clipboard:write"]);
  const permission_scopes = agent.manifest.permission_scopes.slice(1);
  const manifest = { ...agent.manifest, permission_scopes };
  expect(grantedScopes({ ...agent, manifest })).toEqual(["clipboard:write"]);
});
