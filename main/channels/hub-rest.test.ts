import { createServer, type RequestListener, type Server } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { hubRequest, hubRest } from "./hub-rest.ts";

let server: Server | undefined;
afterEach(async () => {
  server?.closeAllConnections();
  await new Promise((resolve) => (server === undefined ? resolve(null) : server.close(resolve)));
  server = undefined;
});

async function restOf(answer: RequestListener) {
  const listening = createServer(answer);
  server = listening;
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  const address = listening.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return hubRest(hubRequest(`http://127.0.0.1:${address.port}`, async () => "token-of-now"));
}

const says = (status: number, body: string) =>
  restOf((_, response) => {
    response.writeHead(status, { "content-type": "application/json" }).end(body);
  });

describe("the hub's REST side", () => {
  it("gets a fresh token with each request, and ids cannot change the path", async () => {
    const asked: string[] = [];
    const rest = await restOf((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.authorization}`);
      response.end('{"data": {}}');
    });
    await rest.agent("../h2a/relations");
    await rest.setGrantedScopes("a/b?c", ["x"]);
    expect(asked).toEqual([
      "GET /agents/..%2Fh2a%2Frelations Bearer token-of-now",
      "PATCH /h2a/relations/a%2Fb%3Fc Bearer token-of-now",
    ]);
  });

  it("fails with the hub's own code where it gives one", async () => {
    const rest = await says(404, '{"error": {"code": "NOT_FOUND"}}');
    await expect(rest.relations()).rejects.toMatchObject({
      name: "HubRestError",
      code: "NOT_FOUND",
    });
  });

  it.each([
    ["no JSON", "<html>"],
    ["JSON that is no answer", "[]"],
    ["an error without a code", '{"error": "sorry"}'],
    ["nothing", ""],
  ])("counts as out of reach when it answers with %s", async (_, body) => {
    const rest = await says(502, body);
    await expect(rest.relations()).rejects.toMatchObject({ code: "hub_unreachable" });
  });

  it("counts as unreachable when nobody listens, and when it redirects", async () => {
    const nobody = hubRest(hubRequest("http://127.0.0.1:9", async () => "token"));
    await expect(nobody.relations()).rejects.toMatchObject({ code: "hub_unreachable" });
    const elsewhere = await restOf((_, response) => {
      response.writeHead(302, { location: "http://127.0.0.1:9/" }).end();
    });
    await expect(elsewhere.relations()).rejects.toMatchObject({ code: "hub_unreachable" });
  });

  it("gives no relation for a pairing that was declined", async () => {
    const rest = await says(200, '{"data": {"status": "refused"}}');
    const declined = { accept: false, granted_scopes: [] };
    expect(await rest.answerPairing("p", declined)).toBeNull();
  });
});
