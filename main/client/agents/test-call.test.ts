import { describe, expect, it } from "vitest";
import type { RuleTest } from "../../../app/bridge/rule-calls.ts";
import { CATALOGUE, catalogueEntry } from "../../../app/contract/catalogue.ts";
import type { Rule } from "../../../app/contract/rule.ts";
import type { Profile } from "../../../app/contract/settings.ts";
import type { ToolBox } from "../../../app/execution/ports.ts";
import {
  type AgentShape,
  agentWith,
  SCOPES as CHAIN_SCOPES,
  ChainHarness,
  callTo,
} from "../../../app/execution/testing/chain-harness.ts";
import type { Root } from "../../../app/grants/grant.ts";
import { sampleRule } from "../../../app/grants/testing/sample-rule.ts";
import { decidedOnly } from "../../channels/hooks/decided-only.ts";
import type { FileService } from "../../tools/files/file-service.ts";
import { testToolBox } from "../../tools/testing/test-tool-box.ts";
import { programFile } from "./program-file.ts";
import { testCall } from "./test-call.ts";

const SCOPES = {
  ...CHAIN_SCOPES,
  fetch_url: "network:http",
  write_file: "filesystem:write",
  run_command: "shell:exec",
};
const files = (path: string) => ({ kind: "path", path, names: null }) as const;
const host = { kind: "host", host: "a.test", port: 443, method: "reading" } as const;

const root = (path: string, access: Root["access"] = "read_write"): Root => ({
  root_id: path,
  path,
  access,
  added_at: 0,
});

/** What no agent may reach. */
const OWN = import.meta.dirname;
const OWN_PORT = 4_800;

/** Without what carries calls out: they are only examined here. */
const TOOLS = testToolBox({
  files: { ownData: [OWN] } as unknown as FileService,
  fetch: { ownPorts: () => [OWN_PORT] },
  command: { ownFolders: [OWN] },
});

interface Has {
  readonly roots?: readonly Root[];
  readonly grants?: AgentShape["grants"];
  readonly tools?: ToolBox;
}

/** A chain with these rules, and what the page says of a call there. */
function withRules(rules: readonly Partial<Rule>[], profile: Profile = "everyday", has: Has = {}) {
  const sensitivity = { "filesystem:write": "high", "network:http": "medium" } as const;
  const { roots = [root("/p"), root("/pa")], grants, tools = TOOLS } = has;
  const shape = { toolScopes: SCOPES, sensitivity, ...(grants && { grants }) };
  const chain = new ChainHarness({ agent: { ...agentWith(shape), roots } });
  const { manifest_hash } = chain.agent;
  chain.settings = { ...chain.settings, profile };
  chain.rules = rules.map((rule, at) =>
    sampleRule({ rule_id: `rule-${at}`, manifest_hash, ...rule }),
  );
  const said = (tool_name: string, about: string): Promise<RuleTest> =>
    testCall(chain.agent, {
      tool_name,
      about,
      tools,
      rules: chain.rules,
      quietPeriods: [...chain.quietPeriods.values()],
      profile,
      now: chain.time.now(),
    });
  return { chain, said };
}

type Case = readonly [
  rules: readonly Partial<Rule>[],
  profile: Profile,
  tool: keyof typeof ARGUMENTS,
  about: string,
  said: RuleTest,
];

const ARGUMENTS = {
  read_file: (path: string) => ({ path }),
  write_file: (path: string) => ({ path, content: "x" }),
  fetch_url: (url: string) => ({ url }),
  read_clipboard: () => ({}),
  send_notification: () => ({ title: "Hello" }),
};
const by = (outcome: RuleTest["outcome"], rule_id: string | null = "rule-0"): RuleTest => ({
  outcome,
  why: "rule",
  rule_id,
});
const without = (outcome: RuleTest["outcome"], why: RuleTest["why"]): RuleTest => ({
  outcome,
  why,
  rule_id: null,
});
const high = { covers: "write_file", answers_high: true, subject: files("/p") };

const CASES: readonly Case[] = [
  [[], "everyday", "read_file", "/p/a", without("ask", "nothing")],
  [[{ subject: files("/p") }], "everyday", "read_file", "/p/a", by("allow")],
  [[{ subject: files("/p") }], "everyday", "read_file", "/pa", without("ask", "nothing")],
  [
    [{}, { subject: files("/p"), effect: "deny" }],
    "everyday",
    "read_file",
    "/p/a",
    by("deny", "rule-1"),
  ],
  [[{ effect: "ask" }], "everyday", "read_file", "/p/a", by("ask")],
  [
    [{ covers: "fetch_url", subject: host }],
    "everyday",
    "fetch_url",
    "https://a.test/x",
    by("allow"),
  ],
  [
    [{ covers: "fetch_url", subject: host }],
    "everyday",
    "fetch_url",
    "https://b.test/",
    without("ask", "nothing"),
  ],
  [[], "everyday", "send_notification", "", without("allow", "low")],
  [
    [{ covers: "send_notification", effect: "ask" }],
    "everyday",
    "send_notification",
    "",
    by("ask"),
  ],
  [[high], "everyday", "write_file", "/p/a", by("allow")],
  [[{ ...high, answers_high: false }], "everyday", "write_file", "/p/a", without("ask", "nothing")],
  [[high], "everyday", "write_file", "/p/.bashrc", without("ask", "nothing")],
  [[{ ends_at: 0 }], "everyday", "read_file", "/p/a", without("ask", "nothing")],
  [[{ manifest_hash: "b".repeat(64) }], "everyday", "read_file", "/p/a", without("ask", "nothing")],
  [[], "hands_off", "read_clipboard", "", without("deny", "profile")],
  [[{ covers: "read_clipboard" }], "hands_off", "read_clipboard", "", by("allow")],
  [
    [{ covers: "read_clipboard" }],
    "ask_everything",
    "read_clipboard",
    "",
    without("ask", "profile"),
  ],
  [
    [{ covers: "read_clipboard", effect: "deny" }],
    "ask_everything",
    "read_clipboard",
    "",
    by("deny"),
  ],
  [[], "ask_everything", "send_notification", "", without("ask", "profile")],
];

describe("what the page says would be asked", () => {
  it.each(CASES)(
    "with %j under %s: %s of %j is what happens: %j",
    async (rules, profile, tool, about, told) => {
      const { chain, said } = withRules(rules, profile);
      expect(await said(tool, about)).toEqual(told);
      void chain.handle(callTo(tool, { args: ARGUMENTS[tool](about), scope: SCOPES[tool] }));
      await chain.settle();
      const [outcome] = chain.outcomes();
      const happened = outcome === undefined ? "ask" : outcome.status === "ok" ? "allow" : "deny";
      expect(happened).toBe(told.outcome);
      expect(chain.cards).toHaveLength(told.outcome === "ask" ? 1 : 0);
      if (told.why === "rule") expect(outcome?.rule_id ?? told.rule_id).toBe(told.rule_id);
    },
  );

  it("counts what was allowed in a conversation, and only for what that covers", async () => {
    const { chain, said } = withRules([]);
    await chain.answered("allow_in_conversation", "fetch_url", {
      args: { url: "https://a.test/1" },
      scope: "network:http",
    });
    expect(await said("fetch_url", "https://a.test/2")).toEqual(without("allow", "quiet"));
    expect(await said("fetch_url", "https://b.test/")).toEqual(without("ask", "nothing"));
  });

  it("names a command's program by its file, and uses no rule up", async () => {
    const program = await programFile("env");
    if (program === null) throw new Error("no env");
    const subject = { kind: "command" as const, program, begins: ["A=b"] };
    const { chain, said } = withRules([{ covers: "run_command", answers_high: true, subject }]);
    expect(await said("run_command", "env\nA=b\nprintenv")).toEqual(by("allow"));
    expect(await said("run_command", "env\nA=bc")).toEqual(without("ask", "nothing"));
    expect(chain.rules).toMatchObject([{ uses: 0, last_used_at: null }]);
  });

  it("is nothing for what is no tool or no address", async () => {
    const { said } = withRules([]);
    await expect(said("read_files", "/p")).rejects.toMatchObject({ code: "rule_unusable" });
    await expect(said("fetch_url", "ftp://a.test")).rejects.toMatchObject({
      code: "rule_unusable",
    });
    await expect(said("read_file", "p/a")).rejects.toMatchObject({ code: "rule_unusable" });
    await expect(said("run_command", "")).rejects.toMatchObject({ code: "rule_unusable" });
  });

  it.each(["revoked", undefined] as const)(
    "no rule allows what the agent has no permission for (%s)",
    async (state) => {
      const grants = { "filesystem:read": state };
      const { chain, said } = withRules([{ subject: files("/p") }], "everyday", { grants });
      expect(await said("read_file", "/p/a")).toEqual(without("deny", "permission"));
      await chain.handle(callTo("read_file", { args: { path: "/p/a" } }));
      expect(chain.outcomes()).toMatchObject([{ status: "denied" }]);
      expect(chain.cards).toEqual([]);
    },
  );

  it.each([
    ["everyday", without("ask", "folder")],
    ["hands_off", without("deny", "profile")],
  ] as const)("no rule opens a folder (%s)", async (profile, told) => {
    const rules = [{ subject: files("/p") }, high];
    const { chain, said } = withRules(rules, profile, { roots: [] });
    expect(await said("read_file", "/p/a")).toEqual(told);
    chain.preflight = { kind: "root_wanted", suggested_path: "/p", access: "read" };
    void chain.handle(callTo("read_file", { args: { path: "/p/a" } }));
    await chain.settle();
    expect(chain.cards).toHaveLength(told.outcome === "ask" ? 1 : 0);
    const toRead = withRules(rules, profile, { roots: [root("/p", "read")] });
    expect(await toRead.said("read_file", "/p/a")).toEqual(by("allow"));
    expect(await toRead.said("write_file", "/p/a")).toEqual(told);
  });

  it("an agent that has other folders is not asked about, whatever the rules say", async () => {
    const { said } = withRules([{ subject: files("/p") }], "everyday", { roots: [root("/q")] });
    expect(await said("read_file", "/p/a")).toEqual(without("deny", "outside"));
  });

  it.each([
    ["read_file", `${OWN}/a`, "outside"],
    ["fetch_url", `http://localhost:${OWN_PORT}/`, "address"],
    ["fetch_url", `localhost:${OWN_PORT}`, "address"],
  ] as const)("what no agent may reach is not asked about: %s of %s", async (tool, about, why) => {
    const { said } = withRules([{ subject: files(OWN) }], "everyday", { roots: [root(OWN)] });
    expect(await said(tool, about)).toEqual(without("deny", why));
  });

  it.each([
    ["a.test", by("allow")],
    ["a.test:443", by("allow")],
    [" A.test/x ", by("allow")],
    ["a.test:8443", without("ask", "nothing")],
    ["http://a.test", without("ask", "nothing")],
    ["localhost:8080", without("ask", "host")],
  ])("an address is understood as a rule's host is: %s", async (about, told) => {
    const { said } = withRules([{ covers: "fetch_url", subject: host }]);
    expect(await said("fetch_url", about)).toEqual(told);
  });

  it.each([...CATALOGUE.values()].filter(({ needsRoot }) => needsRoot).map(({ name }) => name))(
    "%s is asked about with its own folders and refused outside of them",
    async (tool) => {
      const toolScopes = { [tool]: catalogueEntry(tool)?.scope ?? "" };
      const agent = { ...agentWith({ toolScopes }), roots: [root("/p")] };
      const said = async (about: string) =>
        (
          await testCall(agent, {
            ...{ tool_name: tool, about, tools: TOOLS, rules: [], quietPeriods: [] },
            ...{ profile: "everyday", now: 0 },
          })
        ).why;
      if (tool === "run_command") return expect(await said("env")).toBe("nothing");
      expect(await said("/p/a/b")).toBe("nothing");
      expect(await said("/q/a")).toBe("outside");
    },
  );

  it("a command needs a folder, and a host of the own network has to be allowed", async () => {
    const program = await programFile("env");
    if (program === null) throw new Error("no env");
    const subject = { kind: "command" as const, program, begins: [] };
    const near = { ...host, host: "nas.local" };
    const rules = [
      { covers: "run_command", answers_high: true, subject },
      { covers: "fetch_url", subject: near },
    ];
    const { chain, said } = withRules(rules, "everyday", { roots: [root("/p", "read")] });
    expect(await said("run_command", "env")).toEqual(without("ask", "folder"));
    expect(await said("fetch_url", "https://nas.local/")).toEqual(without("ask", "host"));
    chain.agent = { ...chain.agent, hosts: [{ host: "nas.local", port: 443, added_at: 0 }] };
    expect(await said("fetch_url", "https://nas.local/")).toEqual(by("allow", "rule-1"));
  });

  it("an agent that carries its calls out itself needs no folder of ours", async () => {
    const has = { roots: [], tools: decidedOnly(TOOLS) };
    const { said } = withRules([{ subject: files("/p") }], "everyday", has);
    expect(await said("read_file", "/p/a")).toEqual(by("allow"));
  });
});
