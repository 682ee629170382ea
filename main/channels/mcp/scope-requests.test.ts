import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { eventually } from "../../client/testing/eventually.ts";
import { LaunchedClient } from "../../client/testing/launched-client.ts";
import { LocalAgent } from "./testing/local-agent.ts";

let client: LaunchedClient;
let agent: LocalAgent;
beforeEach(async () => {
  client = await LaunchedClient.start();
  agent = new LocalAgent(client);
  await agent.paired([]);
});

const ask = async (...scopes: string[]): Promise<unknown> => {
  const args = { name: "request_permission", arguments: { permissions: scopes } };
  return (await agent.ask("tools/call", args))._meta;
};
const outcome = (status: string, reason?: string) => ({
  "consentry/outcome": reason === undefined ? { status } : { status, reason },
});
const GRANTED = outcome("ok");
const REFUSED = outcome("denied", "user_refused");

/** The question to the person that is about exactly these. */
const question = (...scopes: string[]) =>
  eventually(async () => {
    const { pairings } = await client.snapshot();
    return pairings.find((each) => String(each.scopes.map(({ id }) => id)) === String(scopes));
  });

async function answer(about: readonly string[], granted: readonly string[]): Promise<void> {
  const { pairing_id } = await question(...about);
  const granted_scopes = [...granted];
  await client.call("pairing.answer", { pairing_id, accept: true, granted_scopes });
}

it("the person is asked about each of several requests, one after the other", async () => {
  const first = ask("clipboard:write");
  const others = [ask("clipboard:write", "notification:send"), ask("location:read")];
  await answer(["clipboard:write"], ["clipboard:write"]);
  await answer(["notification:send"], ["notification:send"]);
  await answer(["location:read"], []);
  expect(await first).toEqual(GRANTED);
  expect(await Promise.all(others)).toEqual([GRANTED, REFUSED]);
});

it("a request that says no more than the open question gets its answer, without another question", async () => {
  const both = [ask("clipboard:write", "notification:send"), ask("notification:send")];
  await answer(["clipboard:write", "notification:send"], ["clipboard:write"]);
  expect(await Promise.all(both)).toEqual([REFUSED, REFUSED]);
  expect((await client.snapshot()).pairings).toEqual([]);
});

it("a permission that is requested for twice is shown once", async () => {
  const twice = ask("clipboard:write", "clipboard:write");
  await answer(["clipboard:write"], ["clipboard:write"]);
  expect(await twice).toEqual(GRANTED);
});

it("what a policy denies is not offered, and a request for it is refused as that, without a question", async () => {
  await client.restart(() => {
    client.policyFile = join(client.dataDir, "policy.json");
    writeFileSync(client.policyFile, '{"version":1,"denied_scopes":["shell:exec"]}');
  });
  await agent.connect();
  const { tools } = await agent.ask("tools/list", {});
  const offered = JSON.stringify(tools);
  expect(offered).toContain("clipboard:write");
  expect(offered).not.toContain("shell:exec");
  expect(await ask("clipboard:write", "shell:exec")).toEqual(outcome("denied", "managed"));
  expect((await client.snapshot()).pairings).toEqual([]);
});
