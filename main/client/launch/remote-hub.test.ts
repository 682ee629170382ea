import { createServer } from "node:http";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { invitationOf } from "../../../hub/testing/invited-person.ts";
import { ofEachTest } from "../../../hub/testing/of-each-test.ts";
import { LivedInHub } from "../../../sdk/testing/lived-in-hub.ts";
import { PATIENCE_MS } from "../testing/deceived-client.ts";
import { LaunchedClient } from "../testing/launched-client.ts";

const hub = ofEachTest(new LivedInHub());
let client: LaunchedClient;
beforeEach(() => {
  client = new LaunchedClient();
  onTestFinished(() => client.end());
});

const invited = async () => ({ url: hub.url, invitation: await invitationOf(hub, "Ada") });
const said = () => client.stderr.join("\n");

describe("a client of a hub elsewhere", { timeout: PATIENCE_MS }, () => {
  it("is let in by its key, adds agents there, answers their calls, and comes back without the invitation", async () => {
    client.hubElsewhere = await invited();
    await client.launch();
    await client.reconnected();
    const agent = await client.addAgent(["notification:send"]);
    expect(await agent.notify()).toEqual({ result: { shown: true, folded: false } });
    const people = (await hub.asPerson("GET", "/people")).json.data;
    expect(people).toMatchObject([{ name: "Ada", user_id: agent.credentials.userId }]);
    expect((await hub.asPerson("GET", "/h2a/relations")).json.data).toEqual([]);
    client.hubElsewhere = undefined;
    await client.restart();
    await client.reconnected();
    expect(await agent.notify()).toEqual({ result: { shown: true, folded: false } });
    expect(JSON.parse(client.stdout.at(-1) ?? "")).toMatchObject({ hub: hub.url });
  });

  it("says why it is not let in, and is once it is invited", async () => {
    client.hubElsewhere = { url: hub.url, invitation: undefined };
    await client.launch();
    await expect
      .poll(said)
      .toContain(`The hub at ${hub.url} does not let you in (UNAUTHENTICATED).`);
    client.hubElsewhere = await invited();
    await client.restart();
    await client.reconnected();
  });

  it("is cut off when its person is suspended, is told so, and comes back once they are restored", async () => {
    client.hubElsewhere = await invited();
    await client.launch();
    await client.reconnected();
    const [{ user_id }] = (await hub.asPerson("GET", "/people")).json.data;
    await hub.asPerson("POST", `/people/${user_id}/suspend`);
    const state = async () => (await client.snapshot()).hub;
    await expect
      .poll(state, { timeout: 10_000 })
      .toMatchObject({ connected: false, fault: "account_suspended" });
    await hub.asPerson("POST", `/people/${user_id}/restore`);
    await client.reconnected();
    expect(await state()).toMatchObject({ connected: true, fault: null });
  });

  it("signs nothing for a hub that passes on another's challenge", async () => {
    const asked: string[] = [];
    const server = createServer((request, response) => {
      asked.push(request.url ?? "");
      const data = { challenge: "theirs", hub: hub.url };
      response.end(JSON.stringify({ data }));
    }).listen(0, "127.0.0.1");
    onTestFinished(() => void server.close());
    await expect.poll(() => server.address()).not.toBeNull();
    const { port } = server.address() as { port: number };
    client.hubElsewhere = { url: `http://127.0.0.1:${port}`, invitation: undefined };
    await client.launch();
    await expect.poll(said).toContain("(hub_other_address)");
    expect(new Set(asked.filter((path) => path.startsWith("/auth")))).toEqual(
      new Set(["/auth/challenge"]),
    );
  });

  it("is not the client of a folder that has agents at a hub of its own, nor of another one", async () => {
    await client.launch();
    await client.close();
    client.hubElsewhere = await invited();
    await expect(client.launch()).rejects.toThrow(/belongs to its own hub/);
  });
});
