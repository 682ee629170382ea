import { afterEach, describe, expect, it } from "vitest";
import type { Manifest } from "../app/contract/manifest.ts";
import { MemoryRecords } from "../app/encryption/testing/correspondents.ts";
import { startHub } from "../hub/index.ts";
import { testHubOptions } from "../hub/testing/hub-options.ts";
import { HasheeAgent } from "./agent.ts";
import { FakeHub } from "./testing/fake-hub.ts";
import { data, type RestAnswer, refusal } from "./testing/fake-rest.ts";
import { ScriptedPerson } from "./testing/scripted-person.ts";
import { MANIFEST, startAgent } from "./testing/start-agent.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** The tool under another scope, which the person has not been asked about. */
const MOVED: Manifest = {
  ...MANIFEST,
  tools: MANIFEST.tools.map((tool) => ({
    ...tool,
    permission_scope: "notes:read",
    description_fallback: "x".repeat(70_000),
  })),
  permission_scopes: [
    {
      id: "notes:read",
      label_i18n_key: "scopes.notes",
      label_fallback: "Read notes",
      sensitivity: "medium",
    },
  ],
};
const LARGE = [{ pointer: "", code: "manifest_large" }];

describe("at the real hub", () => {
  it("a new manifest is stored, its warnings and breaking changes returned, its scopes used", async () => {
    const hub = await startHub(testHubOptions);
    closing.push(() => hub.close());
    const person = new ScriptedPerson(hub, () => ({ status: "ok", result: null }));
    await person.arrive();
    const { agent, credentials } = await HasheeAgent.pair({
      name: "Reader",
      manifest: MANIFEST,
      baseUrl: hub.url,
      onCode: () => undefined,
      keyStore: new MemoryRecords(),
    });
    closing.push(() => agent.disconnect());
    expect(await agent.updateManifest(MOVED)).toEqual({
      capability_manifest_version: 2,
      capability_manifest_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      breaking_changes: [
        expect.objectContaining({
          kind: "scope_added",
          scope: "notes:read",
          pointer: "/permission_scopes/0",
        }),
      ],
      warnings: expect.arrayContaining(LARGE),
    });
    await agent.callTool(credentials.conversationId, "read_file", { path: "/x" });
    expect(person.calls.map(({ permission_scope }) => permission_scope)).toEqual(["notes:read"]);
  });
});

describe("a manifest that is not accepted", () => {
  const problems = [{ pointer: "/tools/0/name", code: "tool_name_invalid" }];
  it.each<readonly [string, RestAnswer, string, unknown]>([
    ["faulty", refusal(422, "MANIFEST_INVALID", { problems }), "manifest_invalid", problems],
    ["too large", refusal(413, "MANIFEST_TOO_LARGE"), "manifest_invalid", []],
    ["another agent's", refusal(401, "UNAUTHENTICATED"), "invalid_token", []],
    ["a removed agent's", refusal(403, "AGENT_REMOVED"), "agent_removed", []],
    ["refused for a reason that is new", refusal(409, "NEW"), "hub_refused", []],
    ["sent into a broken connection", "lost", "hub_unreachable", []],
    ["answered by something else", data({ ok: true }), "hub_unreachable", []],
  ])("rejects when it is %s", async (_, answer, code, found) => {
    const { agent } = await startAgent({}, new FakeHub({ answers: [answer] }));
    closing.push(() => agent.disconnect());
    const failure = agent.updateManifest(MOVED);
    await expect(failure).rejects.toMatchObject({ name: "AgentError", code, problems: found });
  });

  it("says in its message what is wrong, or which hub did not answer", async () => {
    const answers = [refusal(422, "MANIFEST_INVALID", { problems }), "lost"] as const;
    const { agent } = await startAgent({}, new FakeHub({ answers }));
    closing.push(() => agent.disconnect());
    await expect(agent.updateManifest(MOVED)).rejects.toThrow(
      /^manifest_invalid: \/tools\/0\/name tool_name_invalid$/,
    );
    await expect(agent.updateManifest(MOVED)).rejects.toThrow(/^hub_unreachable: http:\/\/127/);
  });
});
