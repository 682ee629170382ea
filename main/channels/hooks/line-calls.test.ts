import { chmodSync, mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { eventually } from "../../client/testing/eventually.ts";
import { LaunchedClient } from "../../client/testing/launched-client.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { HookedAgent } from "./testing/hooked-agent.ts";

let client: LaunchedClient;
let agent: HookedAgent;
beforeEach(async () => {
  client = await LaunchedClient.start();
  agent = new HookedAgent(client, scratchFolder());
  await agent.connected(["agent:command", "agent:read"]);
});

const program = (folder: string, name: string): string => {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, name);
  writeFileSync(file, "#!/bin/sh\n");
  chmodSync(file, 0o755);
  return realpathSync(file);
};
const run = (command: string) => agent.ask("Bash", { command });
const denied = async (command: string) => {
  const question = run(command);
  const card = await client.waitingCard();
  await client.answer("deny");
  expect((await question).status).toBe(2);
  return card;
};
const rule = async (effect: "allow" | "deny", named: string, begins: string[] = []) => {
  const agent_id = (await client.snapshot()).agents[0]?.agent_id ?? "";
  const subject = { kind: "command", program: named, begins } as const;
  await client.call("rules.add", {
    agent_id,
    covers: "agent:command",
    subject,
    effect,
    time: "always",
  });
};

const tried = async (about: string) => {
  const agent_id = (await client.snapshot()).agents[0]?.agent_id ?? "";
  return await client.call("rules.test", { agent_id, tool_name: "run_command", about });
};

describe("a card offers", () => {
  it("all parts of a line at once, each with a rule of its own", async () => {
    const line = "npm test && git commit -m 'a b' && cat notes.md";
    const first = run(line);
    const { rule_subjects } = await client.waitingCard();
    const [subject, wider] = rule_subjects;
    if (subject?.kind !== "commands" || wider?.kind !== "commands") throw new Error("not offered");
    expect(subject.commands.map(({ begins }) => begins)).toEqual([
      ["test"],
      ["commit"],
      ["notes.md"],
    ]);
    await client.answer("allow_once", undefined, { subject, time: "hours" });
    expect((await first).status).toBe(0);
    const { rules } = (await client.snapshot()).agents[0] ?? {};
    expect(rules).toHaveLength(3);
    expect((await run(line)).status).toBe(0);
    expect((await run("git commit -m c; npm test 2>&1 | tail -5")).status).toBe(0);
    await denied("npm test && git push");
  });

  it("reading in the folder that the agent has open, for a line that only reads", async () => {
    const first = run("cat a.md | head -5");
    const { rule_subjects } = await client.waitingCard();
    const path = realpathSync(agent.folder);
    expect(rule_subjects).toEqual([{ kind: "path", path, names: null }]);
    const subject = { kind: "path", path, names: null } as const;
    await client.answer("allow_once", undefined, { subject, time: "minutes" });
    expect((await first).status).toBe(0);
    expect((await run("rg -n foo . && ls -la")).status).toBe(0);
    expect((await agent.ask("Read", { file_path: "a.md" })).status).toBe(0);
    await denied("cat a.md && rm a.md");
    await denied("cat .env");
  });
});

describe("a card names", () => {
  it("each program of a line, also of one that is not read", async () => {
    const read = await denied("npm test && git commit -m a; git push");
    expect(read.line?.commands.map(({ words }) => words[0])).toEqual(["npm", "git", "git"]);
    const line = 'for f in a b; do curl "$f" | tar xz; done && (cd sub; echo $(git push))';
    const { line: unread } = await denied(line);
    expect(unread?.programs).toEqual(["curl", "tar", "cd", "echo", "git"]);
  });
});

describe("what goes wrong elsewhere", () => {
  it("a deny rule holds for the lines that agents run", async () => {
    await rule("deny", "git", ["push"]);
    for (const line of [
      "git push",
      "git push origin main",
      "cd /tmp && git push",
      "git status; git push",
      "env git push",
      "git -C sub push",
      'sh -c "git push"',
      "echo $(git push)",
      "X=1 git push &",
      "'git' \"push\"",
    ]) {
      expect((await run(line)).stderr, line).toContain("user_refused");
    }
    await denied("git pushx");
  });

  it("an allow rule covers no environment, wrapper, loader or second command", async () => {
    await rule("allow", "git");
    expect((await run("git log -3 2>&1")).status).toBe(0);
    for (const line of [
      "GIT_PAGER=evil git log",
      "env GIT_PAGER=evil git log",
      "git -c core.pager=evil log",
      "git log --output=x",
      "git log; evil",
      "git log | sh",
      "git log\nevil",
      "git log & evil",
      "git log $(evil)",
      "git log > .bashrc",
      "timeout 5 git log",
      "git log\u00a0x",
    ]) {
      await denied(line);
    }
  });
});

describe("the trial of a command line says what would happen", () => {
  it("by rules for each of its commands", async () => {
    await denied("npm test");
    expect(await tried("npm test && git add a")).toMatchObject({ outcome: "ask", why: "nothing" });
    await rule("allow", "npm", ["test"]);
    await rule("allow", "git", ["add"]);
    expect(await tried("npm test && git add a")).toMatchObject({ outcome: "allow", why: "rule" });
    await rule("deny", "git", ["push"]);
    expect(await tried("cd sub; env git push")).toMatchObject({ outcome: "deny", why: "rule" });
  });

  it.each([
    ["echo $(id)", ["unreadable"]],
    ["rm -rf build", ["dangerous"]],
    ["cat /etc/hosts", ["outside_project"]],
    ["git add .ssh/id_ed25519", ["special_place"]],
  ])("and what is asked about each time: %s", async (line, raised) => {
    await denied("npm test");
    expect(await tried(line)).toEqual({ outcome: "ask", why: "raised", rule_id: null, raised });
  });
});

describe("a program is the one that the agent's shell finds", () => {
  it("in its own PATH, as in a folder of a version manager", async () => {
    const folder = join(agent.folder, "versions", "bin");
    const file = program(folder, "mytool");
    expect((await denied("mytool build")).line?.commands).toMatchObject([{ program: null }]);
    agent.path = `${folder}:${agent.path}`;
    expect((await denied("mytool build")).line?.commands).toMatchObject([{ program: file }]);
    await rule("allow", "mytool", ["build"]);
    expect((await run("mytool build --all")).status).toBe(0);
  });

  it("without what npm puts before it where it starts the hook, not the agent", async () => {
    const folder = join(agent.folder, "node_modules", ".bin");
    const file = program(folder, "mytool");
    agent.path = `${folder}:/usr/lib/npm/node-gyp-bin:${agent.path}`;
    agent.npmScript = "node scripts/hook.mjs";
    expect((await denied("mytool build")).line?.commands).toMatchObject([{ program: null }]);
    agent.npmScript = "claude";
    expect((await denied("mytool build")).line?.commands).toMatchObject([{ program: file }]);
  });

  it("by the name that it is called by: one file may be many programs", async () => {
    const folder = join(agent.folder, "bin");
    const file = program(join(agent.folder, "lib"), "all-tools.js");
    mkdirSync(folder);
    for (const name of ["mytool", "remover"]) symlinkSync(file, join(folder, name));
    agent.path = `${folder}:${agent.path}`;
    await denied("mytool a");
    await rule("allow", "mytool");
    expect((await run("mytool a")).status).toBe(0);
    await denied("remover a");
    await rule("deny", "remover", ["all"]);
    for (const line of ["remover all", "true && env remover -f all", 'sh -c "remover all $X"']) {
      expect((await run(line)).stderr).toContain("user_refused");
    }
    expect((await run("mytool all")).status).toBe(0);
  });

  it("and no other of that name in front of it is covered", async () => {
    await denied("make all");
    await rule("allow", "make", ["all"]);
    expect((await run("make all")).status).toBe(0);
    const other = join(agent.folder, "other");
    program(other, "make");
    agent.path = `${other}:${agent.path}`;
    await denied("make all");
    // An empty folder is the one that the shell is in.
    rmSync(join(other, "make"));
    agent.path = `:${agent.path}`;
    expect((await run("make all")).status).toBe(0);
    program(agent.folder, "make");
    await denied("make all");
  });

  it("still when the answer leaves", async () => {
    const other = join(agent.folder, "other");
    mkdirSync(other);
    agent.path = `${other}:${agent.path}`;
    const question = run("make all");
    await client.waitingCard();
    program(other, "make");
    await client.answer("allow_once");
    expect((await question).stderr).toContain("changed_since_shown");
    expect(await eventually(async () => (await client.log())[0])).toMatchObject({
      reason: "changed_since_shown",
    });
  });
});
