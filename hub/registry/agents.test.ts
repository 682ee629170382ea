import { expect, test } from "vitest";
import { digestOf, sha256Hex } from "../../app/contract/digest.ts";
import type { JsonValue } from "../../app/contract/json.ts";
import { HubRig, sampleManifest } from "../testing/hub-rig.ts";
import { ofEachTest } from "../testing/of-each-test.ts";

const rig = ofEachTest(new HubRig());

const hashOf = (manifest: unknown): string => digestOf(manifest as JsonValue);
/** A manifest of exactly this many bytes as JSON text. */
function manifestText(bytes: number): string {
  const text = (padding: string): string => JSON.stringify(sampleManifest({ padding }));
  return text("x".repeat(bytes - text("").length));
}

test("an agent is registered with its manifest, version 1, hash and token", async () => {
  const capability_manifest = sampleManifest({ unknown_key: { kept: true } });
  const reply = await rig.asPerson("POST", "/agents", { name: "A", capability_manifest });
  expect(reply.status).toBe(201);
  expect(reply.json.data).toEqual({
    agent_id: expect.any(String),
    capability_manifest_version: 1,
    capability_manifest_hash: hashOf(capability_manifest),
    breaking_changes: [],
    warnings: [],
    token: expect.stringMatching(/^hsk_[0-9A-Za-z]{40}$/),
  });
  expect(await rig.agentView(reply.json.data.agent_id)).toEqual({
    agent_id: reply.json.data.agent_id,
    name: "A",
    connection_mode: "websocket",
    capability_manifest,
    capability_manifest_version: 1,
    capability_manifest_hash: hashOf(capability_manifest),
  });
  expect(JSON.stringify(await rig.agentView(reply.json.data.agent_id))).not.toContain("hsk_");
});

test("the owner and the agent patch with a wrapped or a bare manifest", async () => {
  const { agentId, token } = await rig.addAgent();
  const path = `/agents/${agentId}`;
  const capability_manifest = sampleManifest({ agent_version: "1.1.0" });
  const byOwner = await rig.asPerson("PATCH", path, { capability_manifest });
  expect(byOwner.json.data).toEqual({
    agent_id: agentId,
    capability_manifest_version: 2,
    capability_manifest_hash: hashOf(capability_manifest),
    breaking_changes: [],
    warnings: [],
  });
  const others = [
    await rig.rest("PATCH", path, { token, body: { capability_manifest } }),
    await rig.rest("PATCH", path, { token, body: capability_manifest }),
    await rig.asPerson("PATCH", path, capability_manifest),
  ];
  expect(others.map(({ json }) => json.data)).toEqual(
    [3, 4, 5].map((version) => ({
      ...byOwner.json.data,
      capability_manifest_version: version,
    })),
  );
  const beside = { capability_manifest, agent_id: agentId };
  expect((await rig.asPerson("PATCH", path, beside)).json.error.code).toBe("MANIFEST_INVALID");
});

test("another agent's token cannot patch", async () => {
  const mine = await rig.addAgent();
  const other = await rig.addAgent();
  const path = `/agents/${mine.agentId}`;
  const body = sampleManifest();
  expect((await rig.rest("PATCH", path, { token: other.token, body })).status).toBe(401);
  expect((await rig.agentView(mine.agentId)).capability_manifest_version).toBe(1);
});

test("a manifest of 65,536 bytes or more is accepted with a warning, wherever it is sent", async () => {
  const { agentId, token } = await rig.addAgent();
  for (const [bytes, warnings] of [
    [65_535, []],
    [65_536, [{ pointer: "", code: "manifest_large" }]],
  ] as const) {
    const text = manifestText(bytes);
    const body = `{"name":"A","capability_manifest":${text}}`;
    for (const reply of [
      await rig.asPerson("POST", "/agents", body),
      await rig.rest("POST", "/pairings", { body }),
      await rig.asPerson("PATCH", `/agents/${agentId}`, `{"capability_manifest":${text}}`),
      await rig.rest("PATCH", `/agents/${agentId}`, { token, body: text }),
    ]) {
      expect(reply.json.data.warnings).toEqual(warnings);
    }
  }
});

test.each([
  [131_072, 200],
  [131_073, 413],
  [262_145, 413],
  [600_000, 413],
])(
  "streamed, a manifest of %i bytes is answered %i in both forms of PATCH",
  async (bytes, status) => {
    const { agentId, token } = await rig.addAgent();
    const text = manifestText(bytes);
    const forms = [
      { token, body: text },
      { token: await rig.hub.issueAccessToken(), body: `{"capability_manifest":${text}}` },
    ];
    for (const form of forms) {
      const reply = await rig.streamed("PATCH", `/agents/${agentId}`, form);
      expect(reply.status).toBe(status);
      if (status === 413) {
        const { code, params } = reply.json.error;
        expect([code, params]).toEqual(["MANIFEST_TOO_LARGE", { max_bytes: 131_072 }]);
      }
    }
  },
);

test("a wrapped manifest's own bytes are counted, not those around it", async () => {
  const wrap = (bytes: number) => ({
    body: `{ "name" : "A",\n "capability_manifest" :  ${manifestText(bytes)}  }`,
  });
  expect((await rig.rest("POST", "/pairings", wrap(131_072))).status).toBe(201);
  const over = await rig.rest("POST", "/pairings", wrap(131_073));
  expect([over.status, over.json.error.code]).toEqual([413, "MANIFEST_TOO_LARGE"]);
});

test("every problem of a manifest is listed at once with its pointer, and the warnings", async () => {
  const checked: unknown[] = [];
  await rig.restart({
    checkSchema: async (schema) => {
      checked.push(schema);
      return [{ pointer: "/properties/path/pattern", code: "pattern_invalid" }];
    },
  });
  const [tool] = sampleManifest().tools;
  const broken = sampleManifest({
    schema_version: "2.0",
    tools: [
      { ...tool, name: "Bad Name" },
      { ...tool, input_schema: { type: "array" } },
    ],
  });
  const reply = await rig.knock(broken);
  expect([reply.status, reply.json.error.code]).toEqual([422, "MANIFEST_INVALID"]);
  const { problems, warnings } = reply.json.error.params;
  expect(problems).toEqual(
    expect.arrayContaining([
      { pointer: "/schema_version", code: "schema_version_unsupported" },
      { pointer: "/tools/0/name", code: "tool_name_invalid" },
      expect.objectContaining({ pointer: "/tools/1/input_schema" }),
      {
        pointer: "/tools/0/input_schema/properties/path/pattern",
        code: "input_schema_invalid",
        detail: "pattern_invalid",
      },
    ]),
  );
  expect(warnings).toEqual([]);
  expect(checked).toHaveLength(1);
  expect((await rig.knock()).json.error.params.problems).toHaveLength(1);
});

test("a bare manifest that is no strict JSON is refused as such", async () => {
  const { agentId, token } = await rig.addAgent();
  const body = '{"schema_version":"1.0","schema_version":"1.0"}';
  const reply = await rig.rest("PATCH", `/agents/${agentId}`, { token, body });
  expect(reply.json.error).toMatchObject({
    code: "MANIFEST_INVALID",
    params: { problems: [{ pointer: "", code: "not_strict_json", detail: "duplicate_key" }] },
  });
});

test("the hub fails closed when schemas cannot be checked", async () => {
  await rig.restart({ checkSchema: () => Promise.reject(new Error("worker")) });
  const reply = await rig.knock();
  expect([reply.status, reply.json.error.code]).toEqual([500, "INTERNAL"]);
  expect(rig.log).toEqual([{ code: "request_failed", fault: "Error" }]);
});

test("a hub that has no time to look at schemas refuses nothing, and says when to ask again", async () => {
  await rig.restart({ checkSchema: async () => "busy" });
  const reply = await rig.knock();
  expect([reply.status, reply.json.error.code]).toEqual([503, "OVERLOADED"]);
  expect(reply.json.error.params).toEqual({ retry_after: 5 });
  expect(reply.headers["retry-after"]).toBe("5");
});

test("a hub asks nothing more about a manifest of which one schema had to be killed", async () => {
  let asked = 0;
  await rig.restart({
    checkSchema: async () => {
      asked += 1;
      return [{ pointer: "", code: "schema_undecided" }];
    },
  });
  const [tool] = sampleManifest().tools;
  const tools = ["one_tool", "other_tool"].map((name) => ({ ...tool, name }));
  const reply = await rig.knock(sampleManifest({ tools }));
  expect(reply.json.error.params.problems).toEqual([
    { pointer: "/tools/0/input_schema", code: "input_schema_invalid", detail: "schema_undecided" },
  ]);
  expect(asked).toBe(1);
});

test("a manifest's keys that look like prototypes survive and stay harmless", async () => {
  const { agentId, token } = await rig.addAgent();
  const text = JSON.stringify(sampleManifest()).replace("{", '{"__proto__":{"polluted":1},');
  const reply = await rig.rest("PATCH", `/agents/${agentId}`, { token, body: text });
  expect(reply.status).toBe(200);
  expect((await rig.rest("GET", `/agents/${agentId}`)).text).toContain(
    '"__proto__":{"polluted":1}',
  );
  expect(sha256Hex("")).not.toBe(reply.json.data.capability_manifest_hash);
});
