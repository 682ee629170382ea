import { describe, expect, it } from "vitest";
import { tooLargeFor } from "../rest/route.ts";
import { ROUTES as routes } from "../testing/hub-caller.ts";
import { HubRig, type RestReply, sampleManifest } from "../testing/hub-rig.ts";
import { ofEachTest } from "../testing/of-each-test.ts";
import { OF_EVERY_ENDPOINT, refusalsOf } from "./refusals.ts";

const rig = ofEachTest(new HubRig());

async function waitingPairing(): Promise<string> {
  const body = { name: "A", capability_manifest: sampleManifest() };
  return (await rig.rest("POST", "/pairings", { body })).json.data.pairing_id;
}

/** The status, the code and the fault. */
const told = ({ status, json: { error } }: RestReply) => [
  status,
  error.code,
  ...(error.params.fault === undefined ? [] : [error.params.fault]),
];

describe("any endpoint refuses", () => {
  const pathOf = (path: string, id = "none") => path.replaceAll(/:\w+/g, id);

  it.each(routes.filter(({ auth }) => auth !== "none"))(
    "nobody in particular at $method $path, before it looks at anything else",
    async ({ method, path, spec }) => {
      const id = path.startsWith("/pairings/") ? await waitingPairing() : "none";
      const { body: hasBody, query = {} } = spec;
      const body = hasBody === undefined ? undefined : "{";
      const wrong = new URLSearchParams(Object.keys(query).map((name) => [name, "wrong"]));
      for (const token of [undefined, "wrong", `hsk_${"0".repeat(40)}`]) {
        const options = token === undefined ? { body } : { body, token };
        const reply = await rig.rest(method, `${pathOf(path, id)}?${wrong}`, options);
        expect(told(reply)).toEqual([401, "UNAUTHENTICATED"]);
      }
    },
  );

  it.each(routes.filter((route) => "AGENT_REMOVED" in refusalsOf(route)))(
    "an agent that was removed at $method $path",
    async ({ method, path, spec }) => {
      const { agentId, token, relation } = await rig.addAgent();
      await rig.asPerson("DELETE", `/h2a/relations/${relation.relation_id}`);
      const before = await rig.agentView(agentId);
      const body = spec.bodyExample;
      const { relation_id, conversation_id } = relation;
      const ids = { agents: agentId, h2a: relation_id, conversations: conversation_id };
      const id = Object.entries(ids).find(([kind]) => path.startsWith(`/${kind}`))?.[1];
      const reply = await rig.rest(method, pathOf(path, id), { body, token });
      expect(told(reply)).toEqual([403, "AGENT_REMOVED"]);
      expect(await rig.agentView(agentId)).toEqual(before);
    },
  );

  const sending = routes.filter(({ method }) => method !== "GET" && method !== "DELETE");
  it.each(sending)("a body that is too large at $method $path", async (route) => {
    const { method, path } = route;
    const body = "x".repeat(262_145);
    const reply = await rig.rest(method, pathOf(path), { token: rig.person, body });
    expect(told(reply)).toEqual([413, tooLargeFor(route)]);
  });

  it.each(routes.filter((route) => /form/.test(refusalsOf(route).BAD_REQUEST ?? "")))(
    "a body of another form at $method $path",
    async ({ method, path }) => {
      const { person: token } = rig;
      const text = await rig.rest(method, pathOf(path), { token, body: "{" });
      expect(told(text)).toEqual([400, "BAD_REQUEST", "syntax"]);
      const form = await rig.rest(method, pathOf(path), { token, body: { x: 1 } });
      expect(told(form)).toEqual([400, "BAD_REQUEST", "body_schema"]);
    },
  );

  it("what is asked in another way, and what is not there", async () => {
    const host = { host: "evil.example" };
    const origin = { origin: "http://evil.example" };
    const replies = [
      await rig.rest("GET", "/health", { headers: host }),
      await rig.rest("GET", "/health", { headers: origin }),
      await rig.rest("GET", "/nowhere"),
      await rig.rest("POST", "/health"),
    ];
    const codes = replies.map(({ json }) => json.error.code);
    expect(codes).toEqual(["FOREIGN_HOST", "FOREIGN_ORIGIN", "NOT_FOUND", "METHOD_NOT_ALLOWED"]);
    expect(Object.keys(OF_EVERY_ENDPOINT)).toEqual(expect.arrayContaining(codes));
  });
});
