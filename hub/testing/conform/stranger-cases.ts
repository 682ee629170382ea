import assert from "node:assert/strict";
import { ROUTES } from "../hub-caller.ts";
import { sampleManifest } from "../sample-manifest.ts";
import type { ConformingHub } from "./conforming-hub.ts";

export type ConformCase = readonly [name: string, run: (hub: ConformingHub) => Promise<void>];

const pathOf = (path: string): string => path.replaceAll(/:\w+/g, "none");
const codeOf = ({ json }: { readonly json: { readonly error?: { readonly code: string } } }) =>
  json.error?.code;

/** What holds for anybody who reaches the hub. */
export const STRANGER_CASES: readonly ConformCase[] = [
  [
    "it says that it is there",
    async (hub) => {
      const { status, json } = await hub.rest("GET", "/health");
      assert.deepEqual([status, json], [200, { data: { status: "ok" } }]);
    },
  ],
  [
    "it describes every endpoint and frame",
    async (hub) => {
      const { json: rest } = await hub.rest("GET", "/openapi.json");
      for (const { path, method } of ROUTES) {
        const described = rest.paths[path.replaceAll(/:(\w+)/g, "{$1}")];
        assert.ok(described?.[method.toLowerCase()], `${method} ${path}`);
      }
      assert.ok(rest.components.schemas.FrameToHub && rest.components.schemas.FrameFromHub);
    },
  ],
  [
    "an unknown path and an unknown method are refused as such",
    async (hub) => {
      assert.equal(codeOf(await hub.rest("GET", "/nowhere")), "NOT_FOUND");
      const wrong = await hub.rest("DELETE", "/health");
      assert.deepEqual([codeOf(wrong), wrong.headers.allow], ["METHOD_NOT_ALLOWED", "GET"]);
    },
  ],
  ...ROUTES.filter(({ auth }) => auth === "person" || auth === "member").map(
    ({ method, path }): ConformCase => [
      `${method} ${path} answers nobody without a valid token`,
      async (hub) => {
        for (const token of [undefined, "none", `hsk_${"0".repeat(40)}`]) {
          const reply = await hub.rest(method, pathOf(path), {
            ...(token === undefined ? {} : { token }),
            ...(method === "GET" || method === "DELETE" ? {} : { body: {} }),
          });
          assert.deepEqual([reply.status, codeOf(reply)], [401, "UNAUTHENTICATED"]);
        }
      },
    ],
  ),
  [
    "a web page is refused",
    async (hub) => {
      const headers = { origin: "https://example.com" };
      assert.equal(codeOf(await hub.rest("GET", "/health", { headers })), "FOREIGN_ORIGIN");
    },
  ],
  ...["/ws/agent", "/ws/human"].flatMap((path): readonly ConformCase[] => [
    [
      `${path} lets nobody in with a wrong token`,
      async (hub) => {
        const client = await hub.socket(path);
        client.send({ type: "auth", agent_id: "none", token: `hsk_${"0".repeat(40)}` });
        assert.equal((await client.next("auth.error")).reason, "invalid_token");
        assert.equal(await client.closed, 4401);
      },
    ],
    [
      `${path} lets nobody in who begins with anything else`,
      async (hub) => {
        const client = await hub.socket(path);
        client.send({ type: "pong" });
        assert.equal((await client.next("auth.error")).reason, "malformed_frame");
        assert.equal(await client.closed, 4401);
      },
    ],
  ]),
  [
    "a pairing is seen and withdrawn with its own token alone",
    async (hub) => {
      const asked = await hub.knock();
      assert.equal(asked.status, 201);
      const { pairing_id, pairing_token: token } = asked.json.data;
      const path = `/pairings/${pairing_id}`;
      assert.equal(codeOf(await hub.rest("GET", path)), "UNAUTHENTICATED");
      const { json } = await hub.rest("GET", path, { token });
      assert.equal(json.data.status, "waiting");
      assert.equal((await hub.rest("DELETE", path, { token })).status, 200);
      assert.equal(codeOf(await hub.rest("GET", path, { token })), "NOT_FOUND");
    },
  ],
  [
    "a manifest that breaks the contract is refused with every problem",
    async (hub) => {
      const reply = await hub.knock(sampleManifest({ schema_version: "2.0", agent_version: "x" }));
      assert.equal(codeOf(reply), "MANIFEST_INVALID");
      const { problems } = reply.json.error.params;
      const pointers = problems.map(({ pointer }: { pointer: string }) => pointer);
      assert.deepEqual(pointers.toSorted(), ["/agent_version", "/schema_version"]);
    },
  ],
];
