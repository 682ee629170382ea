import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import { eventually } from "../../client/testing/eventually.ts";
import { LaunchedClient } from "../../client/testing/launched-client.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { HookedAgent } from "./testing/hooked-agent.ts";

let client: LaunchedClient;
let agent: HookedAgent;
let secret: string;
beforeEach(async () => {
  client = await LaunchedClient.start();
  agent = new HookedAgent(client, scratchFolder());
  secret = scratchFolder();
  writeFileSync(join(secret, "key"), "k");
  writeFileSync(join(agent.folder, "own"), "own");
  symlinkSync(secret, join(agent.folder, "link"));
  symlinkSync(join(secret, "key"), join(agent.folder, "notes.txt"));
  symlinkSync(join(secret, ".bashrc"), join(agent.folder, "notes.md"));
  await agent.connected(["agent:command", "agent:read", "agent:edit"]);
});

const rule = async (effect: "allow" | "deny", covers: string, path: string) => {
  const agent_id = (await client.snapshot()).agents[0]?.agent_id ?? "";
  const subject = { kind: "path", path, names: null } as const;
  await client.call("rules.add", { agent_id, covers, subject, effect, time: "always" });
};

const asksToRead = async (file_path: string) => {
  const question = agent.ask("Read", { file_path });
  const card = await client.waitingCard();
  await client.answer("deny");
  expect((await question).status).toBe(2);
  return card;
};

it("an allow rule for a folder covers what is really in it", async () => {
  await rule("allow", "read_file", agent.folder);
  expect((await agent.ask("Read", { file_path: "own" })).status).toBe(0);
  for (const name of ["link/key", "notes.txt"]) {
    const card = await asksToRead(name);
    expect(card.raised).toEqual(["outside_project"]);
    expect(card.leads_to).toEqual({ path: join(secret, "key") });
  }
});

it("a quiet period does not reach through a link, even to what is not there yet", async () => {
  const first = agent.ask("Write", { file_path: "new", content: "" });
  await client.answer("allow_in_conversation");
  expect((await first).status).toBe(0);
  const through = agent.ask("Write", { file_path: "notes.md", content: "" });
  expect((await client.waitingCard()).raised).toEqual(["special_place", "outside_project"]);
  await client.answer("deny");
  expect((await through).status).toBe(2);
});

it("a deny rule covers what leads to it, and what is named", async () => {
  await rule("deny", "read_file", secret);
  await rule("deny", "write_file", join(agent.folder, "link"));
  for (const name of ["link/key", "notes.txt", join(secret, "key")]) {
    expect((await agent.ask("Read", { file_path: name })).stderr).toContain("user_refused");
  }
  const write = { file_path: "link/new", content: "" };
  expect((await agent.ask("Write", write)).stderr).toContain("user_refused");
  expect((await client.snapshot()).consents).toEqual([]);
});

it("what leads elsewhere than when it was shown is not allowed", async () => {
  const path = join(agent.folder, "docs");
  mkdirSync(path);
  writeFileSync(join(path, "key"), "");
  const question = agent.ask("Read", { file_path: "docs/key" });
  await client.waitingCard();
  rmSync(path, { recursive: true });
  symlinkSync(secret, path);
  await client.answer("allow_once");
  expect((await question).stderr).toContain("changed_since_shown");
  const logged = await eventually(async () => (await client.log())[0]);
  expect(logged).toMatchObject({ status: "error", reason: "changed_since_shown" });
});
