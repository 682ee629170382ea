import { describe, expect, it } from "vitest";
import type { RuleTest } from "../../../app/bridge/agent-calls.ts";
import type { Rule } from "../../../app/contract/rule.ts";
import type { Profile } from "../../../app/contract/settings.ts";
import { type ChainHarness, callTo } from "../../../app/execution/testing/chain-harness.ts";
import { programFile } from "./test-call.ts";
import {
  by,
  files,
  high,
  host,
  SCOPES,
  TOOLS,
  testedIn,
  without,
  withRules,
} from "./testing/tested-rules.ts";

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
    const program = await programFile("wc");
    if (program === null) throw new Error("no wc");
    const subject = { kind: "command" as const, program, begins: ["-l"] };
    const { chain, said } = withRules([{ covers: "run_command", answers_high: true, subject }]);
    expect(await said("run_command", "wc\n-l\na")).toEqual(by("allow"));
    expect(await said("run_command", "wc\n-lc")).toEqual(without("ask", "nothing"));
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

  const refusals: Readonly<Record<string, Partial<ChainHarness>>> = {
    paused: { paused: true, withheld: "suspended" },
    unrecorded: { ledgerKnownFull: true },
    suspended: { withheld: "suspended" },
    keys_in_doubt: { withheld: "keys_in_doubt" },
    unavailable: { toolAvailable: false },
  };
  it.each(Object.entries(refusals))(
    "neither a rule nor a low level allows what is refused before: %s",
    async (why, refusing) => {
      const { chain } = withRules([{ subject: files("/p") }]);
      Object.assign(chain, refusing);
      const said = testedIn(chain, why === "unavailable" ? chain.ports.tools : TOOLS);
      for (const [tool, about] of [
        ["read_file", "/p/a"],
        ["send_notification", ""],
      ] as const) {
        expect(await said(tool, about)).toEqual({ outcome: "deny", why, rule_id: null });
        await chain.handle(callTo(tool, { args: ARGUMENTS[tool](about) }));
      }
      expect(chain.outcomes().map(({ status }) => status)).not.toContain("ok");
      expect(chain.outcomes()).toHaveLength(2);
      expect(chain.cards).toEqual([]);
    },
  );
});
