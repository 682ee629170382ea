import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LaunchedClient } from "../../client/testing/launched-client.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { sandbox } from "../../tools/command/testing/ways.ts";
import { LocalAgent } from "./testing/local-agent.ts";

let client: LaunchedClient;
let agent: LocalAgent;
let agent_id: string;
let directory: string;
beforeEach(async () => {
  client = await LaunchedClient.start();
  agent = new LocalAgent(client);
  agent_id = await agent.paired(["shell:exec"]);
  directory = scratchFolder();
  await client.call("permissions.add_root", { agent_id, path: directory, access: "read_write" });
});
afterEach(() => client.end());

const run = (argv: string[], more = {}, of = agent) =>
  of.call("run_command", { argv, directory, ...more });

/** What is asked about it; it is denied. */
async function askedAbout(argv: string[], more = {}, of = agent) {
  const called = run(argv, more, of);
  const card = await client.waitingCard();
  await client.answer("deny");
  expect(await called).toMatchObject({ kind: "refused" });
  return card;
}

const trial = (about: string) =>
  client.call("rules.test", { agent_id, tool_name: "run_command", about });

describe.skipIf(sandbox === null || sandbox === "landlock")("in a sandbox without network", () => {
  it("a command is medium, and what its card offers lets the next run, and no neighbour", async () => {
    const first = run(["touch", "one"]);
    const card = await client.waitingCard();
    expect(card).toMatchObject({ sensitivity: "medium", raised: [], timeout_ms: null });
    const touch = card.rule_subjects.at(-1);
    expect(card.rule_subjects).toMatchObject([{ begins: ["one"] }, { begins: [] }]);
    if (touch === undefined) throw new Error("nothing is offered");
    await client.answer("allow_once", undefined, { subject: touch, time: "always" });
    expect(await first).toMatchObject({ kind: "ok", result: { exit_code: 0, sandbox } });

    expect(await run(["touch", "two"])).toMatchObject({ kind: "ok" });
    expect(existsSync(join(directory, "two"))).toBe(true);
    expect((await client.log())[0]).toMatchObject({ decided_by: "rule" });
    expect(await trial("touch\nthree")).toMatchObject({ outcome: "allow", why: "rule" });

    expect(await askedAbout(["rm", "one"])).toMatchObject({ sensitivity: "medium" });
    const hook = ["touch", ".git/hooks/pre-commit"];
    expect(await askedAbout(hook)).toMatchObject({ raised: ["special_place"], rule_subjects: [] });
    expect(await trial(hook.join("\n"))).toMatchObject({ outcome: "ask", why: "raised" });
    const online = await askedAbout(["touch", "four"], { network: true });
    expect(online).toMatchObject({ sensitivity: "high", rule_subjects: [] });
    expect(existsSync(join(directory, "one"))).toBe(true);
  });

  it("a quiet period is for its conversation and for what begins so", async () => {
    const first = run(["touch", "one"]);
    await client.answer("allow_in_conversation");
    await first;
    expect(await run(["touch", "one", "two"])).toMatchObject({ kind: "ok" });
    await askedAbout(["touch", "two"]);
    const other = new LocalAgent(client, "Local agent", agent.token);
    await other.connect("another session");
    await askedAbout(["touch", "one"], {}, other);
    other.close();
  });

  it("a rule by hand may last, and denies what it says", async () => {
    const subject = { kind: "command", program: "touch", begins: [] as string[] } as const;
    const rule = { agent_id, covers: "run_command", subject, time: "always" } as const;
    await client.call("rules.add", { ...rule, effect: "allow" });
    expect(await run(["touch", "one"])).toMatchObject({ kind: "ok" });
    await client.call("rules.add", { ...rule, effect: "deny" });
    expect(await run(["touch", "two"])).toMatchObject({ kind: "refused" });
  });
});

describe.skipIf(sandbox !== null && sandbox !== "landlock")("where no sandbox does that", () => {
  it("a command is high each time, and the trial says why", async () => {
    expect(await askedAbout(["touch", "one"])).toMatchObject({
      sensitivity: "high",
      subject: null,
      rule_subjects: [],
    });
    const subject = { kind: "command", program: "touch", begins: [] as string[] } as const;
    const rule = { agent_id, covers: "run_command", subject, time: "always" } as const;
    await client.call("rules.add", { ...rule, effect: "allow" });
    await askedAbout(["touch", "one"]);
    expect(await trial("touch\none")).toMatchObject({ outcome: "ask", why: "unconfined" });
  });
});
