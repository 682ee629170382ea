import { expect, it } from "vitest";
import { eventually } from "../../client/testing/eventually.ts";
import { LaunchedClient } from "../../client/testing/launched-client.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { hookAccess } from "../hooks/hook-place.ts";
import { AskingHook } from "../hooks/testing/asking-hook.ts";
import { LocalAgent } from "../mcp/testing/local-agent.ts";
import { requestLocally } from "./local-request.ts";

const isLinux = process.platform === "linux";

const pairings = async (client: LaunchedClient) => (await client.snapshot()).pairings;
const agents = async (client: LaunchedClient) => (await client.snapshot()).agents;

/** Claude Code's hooks ask to be let in. */
async function hookAsks(client: LaunchedClient): Promise<void> {
  const { address, token, name } = hookAccess(new AskingHook(client, scratchFolder()).place);
  const headers = { "Consentry-Name": encodeURIComponent(name) };
  const { socket } = await requestLocally(address, { path: "/access", token, headers });
  socket.resume();
}

async function accept(client: LaunchedClient): Promise<void> {
  const [pairing] = await eventually(async () => {
    const found = await pairings(client);
    return found.length > 0 ? found : undefined;
  });
  if (pairing === undefined) throw new Error("nobody asks");
  const granted_scopes = pairing.scopes.map(({ id }) => id);
  const { pairing_id } = pairing;
  await client.call("pairing.answer", { pairing_id, accept: true, granted_scopes });
}

/** Agents' names once there are two, with the permissions they lack. */
const both = (client: LaunchedClient) =>
  eventually(async () => {
    const found = await agents(client);
    if (found.length < 2) return undefined;
    return found.map(({ name, delivery, grants }) => ({
      name,
      delivery,
      lacks: grants.filter(({ state }) => state !== "granted").length,
    }));
  });

const BOTH = [
  { name: "Claude Code", delivery: "hook", lacks: 0 },
  { name: "Claude Code", delivery: "local", lacks: 0 },
];

it.runIf(isLinux)(
  "a program that asks for its tools and its hooks at once is one request",
  async () => {
    const client = await LaunchedClient.start();
    await new LocalAgent(client, "claude-code").connect();
    await hookAsks(client);
    await eventually(async () => ((await pairings(client)).length === 1 ? true : undefined));
    await accept(client);
    expect((await both(client)).toSorted((a, b) => a.delivery.localeCompare(b.delivery))).toEqual(
      BOTH,
    );
    expect(await pairings(client)).toEqual([]);
  },
);

it.runIf(isLinux)("its other half comes in later without a second request", async () => {
  const client = await LaunchedClient.start();
  await new LocalAgent(client, "claude-code").connect();
  await accept(client);
  await hookAsks(client);
  expect((await both(client)).toSorted((a, b) => a.delivery.localeCompare(b.delivery))).toEqual(
    BOTH,
  );
  expect(await pairings(client)).toEqual([]);
});

it.runIf(isLinux)("another token of a half that is there already is asked about", async () => {
  const client = await LaunchedClient.start();
  await new LocalAgent(client, "claude-code").connect();
  await accept(client);
  await new LocalAgent(client, "Claude Code").connect();
  await eventually(async () => ((await pairings(client)).length === 1 ? true : undefined));
  expect(await agents(client)).toHaveLength(1);
});
