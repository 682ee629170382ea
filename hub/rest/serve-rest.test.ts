import { expect, test } from "vitest";
import { WebSocket } from "ws";
import { HubRig, sampleManifest } from "../testing/hub-rig.ts";
import { ofEachTest } from "../testing/of-each-test.ts";
import { heldOpen, rawRequest, requestText, UPGRADE_HEADERS } from "../testing/raw-request.ts";

const rig = ofEachTest(new HubRig());

test("health is public, and every answer carries the security headers and no CORS", async () => {
  const replies = [
    await rig.rest("GET", "/health"),
    await rig.rest("GET", "/nowhere"),
    await rig.rest("GET", "/health", { headers: { origin: "http://evil.example" } }),
  ];
  expect(replies[0]?.json).toEqual({ data: { status: "ok" } });
  for (const { headers } of replies) {
    expect(headers["cache-control"]).toBe("no-store");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(Object.keys(headers).filter((name) => name.startsWith("access-control"))).toEqual([]);
  }
});

test("only this hub's own names pass as Host, and it is checked before anything else", async () => {
  for (const host of ["127.0.0.1", "localhost", "LOCALHOST"]) {
    const headers = { host: `${host}:${rig.port}` };
    expect((await rig.rest("GET", "/health", { headers })).status).toBe(200);
  }
  const foreign = [
    "evil.example",
    "127.0.0.1",
    `127.0.0.1.evil.example:${rig.port}`,
    "localhost:1",
    // The hub listens on 127.0.0.1 alone.
    `[::1]:${rig.port}`,
  ];
  for (const host of foreign) {
    const reply = await rig.rest("GET", "/nowhere", { headers: { host } });
    expect([reply.status, reply.json.error.code]).toEqual([421, "FOREIGN_HOST"]);
  }
});

test("a request without a Host, or for another site's address, is foreign", async () => {
  for (const head of [
    "GET /health HTTP/1.0\r\n\r\n",
    `GET http://evil.example/health HTTP/1.0\r\nHost: evil.example\r\n\r\n`,
  ]) {
    expect(await rawRequest(rig.port, head)).toContain("421");
  }
});

test("a request or upgrade with more than one Host is refused, whichever comes first", async () => {
  const ours = `Host: 127.0.0.1:${rig.port}`;
  const pairs = [
    [ours, "Host: evil.example"],
    ["Host: evil.example", ours],
    [ours, ours],
    [ours, "host:"],
  ];
  for (const hosts of pairs) {
    for (const text of [
      requestText("GET", "/health", hosts),
      requestText("GET", "/ws/human", [...hosts, ...UPGRADE_HEADERS]),
    ]) {
      const answer = await rawRequest(rig.port, text);
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toMatch(/"code":"BAD_REQUEST".*"params":\{"fault":"host"\}/);
    }
  }
});

test("any Origin at all is foreign, this hub's own address too", async () => {
  for (const origin of ["http://evil.example", "null", rig.hub.url, ""]) {
    const reply = await rig.rest("POST", "/pairings", { headers: { origin } });
    expect([reply.status, reply.json.error.code]).toEqual([403, "FOREIGN_ORIGIN"]);
  }
});

test("upgrades are held to the same Host and Origin", async () => {
  const statusOf = (path: string, headers: Record<string, string>): Promise<number> =>
    new Promise((resolve, reject) => {
      const socket = new WebSocket(rig.wsUrl(path), { headers });
      socket.on("unexpected-response", (_request, response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      });
      socket.on("open", () => reject(new TypeError("it opened")));
      socket.on("error", () => undefined);
    });
  expect(await statusOf("/ws/human", { Host: "evil.example" })).toBe(421);
  expect(await statusOf("/ws/agent", { Origin: rig.hub.url })).toBe(403);
  expect(await statusOf("/ws/other", {})).toBe(404);
});

test("a client that keeps a refused upgrade open does not keep the hub from closing", async () => {
  const headers = [`Host: 127.0.0.1:${rig.port}`, ...UPGRADE_HEADERS];
  const held = await heldOpen(rig.port, requestText("GET", "/ws/other", headers));
  await rig.hub.close();
  held.destroy();
});

test("an unknown path is not found, a known one with another method says which it takes", async () => {
  expect((await rig.rest("GET", "/")).json.error.code).toBe("NOT_FOUND");
  expect((await rig.rest("GET", "/agents//")).json.error.code).toBe("NOT_FOUND");
  const reply = await rig.rest("DELETE", "/agents/x");
  expect([reply.status, reply.json.error.code]).toEqual([405, "METHOD_NOT_ALLOWED"]);
  expect(reply.headers.allow).toBe("PUT, GET, PATCH");
});

test("a failure has a code, a message, an i18n key and its parameters", async () => {
  const reply = await rig.rest("POST", "/pairings", { body: "{" });
  expect(reply.status).toBe(400);
  expect(reply.json).toEqual({
    error: {
      code: "BAD_REQUEST",
      message: expect.any(String),
      i18n_key: "error.hub.bad_request",
      params: { fault: "syntax" },
    },
  });
});

test("bodies are read strictly and must have the endpoint's shape", async () => {
  const manifest = JSON.stringify(sampleManifest());
  const bodies: [string | Uint8Array, string][] = [
    [`{"name":"a","name":"b","capability_manifest":${manifest}}`, "duplicate_key"],
    [`{"name":"a","capability_manifest":${manifest},"more":1}`, "body_schema"],
    ['{"name":"a"}', "body_schema"],
    ["[]", "body_schema"],
    ["", "syntax"],
    [Uint8Array.of(0x22, 0xff, 0x22), "not_utf8"],
  ];
  for (const [body, fault] of bodies) {
    const reply = await rig.rest("POST", "/pairings", { body });
    expect([reply.json.error.code, reply.json.error.params.fault]).toEqual(["BAD_REQUEST", fault]);
  }
});

test("an expired, foreign or unsigned access token is not the person's", async () => {
  const other = await HubRig.start();
  const [, claims = ""] = rig.person.split(".");
  const unsigned = `${Buffer.from('{"alg":"none"}').toString("base64url")}.${claims}.`;
  for (const token of [other.person, unsigned, "x", `${rig.person}x`]) {
    const reply = await rig.rest("GET", "/pairings", { token });
    expect([reply.status, reply.json.error.code]).toEqual([401, "UNAUTHENTICATED"]);
  }
  await other.hub.close();
  rig.time.pass(299_000);
  expect((await rig.rest("GET", "/pairings", { token: rig.person })).status).toBe(200);
  rig.time.pass(1_000);
  expect((await rig.rest("GET", "/pairings", { token: rig.person })).status).toBe(401);
});
