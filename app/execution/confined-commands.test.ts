import { expect, it } from "vitest";
import type { ConsentPreview } from "../contract/consent-preview.ts";
import type { ConsentRequest } from "../contract/consent-request.ts";
import { raised } from "../policy/agent-under-policy.ts";
import { NO_POLICY } from "../policy/policy-file.ts";
import { agentWith, ChainHarness, callTo } from "./testing/chain-harness.ts";

const TOOLS = { toolScopes: { run_command: "shell:exec" } };
/** A program on this computer. */
const LOCAL = { ...agentWith({ ...TOOLS, sensitivity: { "shell:exec": "high" } }), relation: null };
const HUB = agentWith(TOOLS);
const DENIED = { status: "denied" };

const shown = (
  sandbox: "bubblewrap" | null = "bubblewrap",
  network = false,
  program = "/usr/bin/git",
): ConsentPreview => ({ kind: "command", program, sandbox, network });

const chainOf = (preview = shown(), agent = LOCAL as ChainHarness["agent"]) =>
  new ChainHarness({
    agent,
    previews: async () => ({ shown: preview, seen: "as it was looked at" }),
  });

const run = (argv: readonly string[], more = {}) =>
  callTo("run_command", {
    scope: "shell:exec",
    args: { argv: [...argv], directory: "/home/ada/app", ...more },
  });

async function asked(
  chain: ChainHarness,
  argv: readonly string[],
  more = {},
): Promise<ConsentRequest> {
  const before = chain.cards.length;
  void chain.handle(run(argv, more));
  await chain.settle();
  const card = chain.cards[before];
  if (card === undefined) throw new Error(`not asked about ${argv.join(" ")}`);
  return card;
}

const begins = (...beginnings: (readonly string[])[]) =>
  beginnings.map((each) => ({ kind: "command", program: "/usr/bin/git", begins: [...each] }));

it("a confined command of a program on this computer is medium, and its card offers what it begins with", async () => {
  const card = await asked(chainOf(), ["git", "log", "--oneline"]);
  expect(card).toMatchObject({ sensitivity: "medium", timeout_ms: null, raised: [] });
  expect(card.answers).toEqual(["deny", "allow_once", "allow_in_conversation"]);
  expect(card.rule_subjects).toEqual(begins(["log"], []));
});

it.each([
  ["without a sandbox", shown(null, true), LOCAL],
  ["with a network", shown("bubblewrap", true), LOCAL],
  ["of a hub's agent", shown(), HUB],
  [
    "where an administrator says so",
    shown(),
    raised({ ...NO_POLICY, sensitivities: new Map([["shell:exec", "high"]]) }, LOCAL),
  ],
] as const)("it is high %s, and offers nothing that quiets", async (_, preview, agent) => {
  const card = await asked(chainOf(preview, agent), ["git", "log"]);
  expect(card).toMatchObject({ sensitivity: "high", subject: null, rule_subjects: [] });
  expect(card.answers).toEqual(["deny", "allow_once", "always_deny"]);
});

it.each([
  ["special_place", ["cp", "x", ".git/hooks/pre-commit"]],
  ["dangerous", ["rm", "-rf", "src"]],
] as const)("it is high for what the card names: %s", async (why, argv) => {
  expect(await asked(chainOf(), argv)).toMatchObject({
    sensitivity: "high",
    raised: [why],
    rule_subjects: [],
  });
});

it("of a shell's line it offers exactly that line, and of what runs anything nothing", async () => {
  const argv = ["sh", "-c", "ls; ls"];
  const card = await asked(chainOf(shown("bubblewrap", false, "/bin/sh")), argv);
  const whole = { kind: "command", program: "/bin/sh", begins: ["-c", "ls; ls"] };
  expect(card).toMatchObject({ sensitivity: "medium", rule_subjects: [whole] });
  const xargs = shown("bubblewrap", false, "/usr/bin/xargs");
  const open = await asked(chainOf(xargs), ["xargs", "--arg-file", "list"]);
  expect(open).toMatchObject({ sensitivity: "medium", subject: null, rule_subjects: [] });
});

it.each([
  ["a rule", "allow_once", "rule"],
  ["a quiet period", "allow_in_conversation", "window"],
] as const)(
  "%s covers what begins so, runs what was looked at, and nothing else",
  async (kind, answer, decided_by) => {
    let preview = shown();
    const chain = new ChainHarness({
      agent: LOCAL,
      previews: async () => ({ shown: preview, seen: "as it was looked at" }),
    });
    const first = chain.handle(run(["git", "log"]));
    await chain.settle();
    const [subject] = chain.cards[0]?.rule_subjects ?? [];
    const rule = subject && { subject, ends_at: null, for_task: false };
    await chain.answer(answer, null, kind === "a rule" ? rule : null);
    expect(await first).toMatchObject({ status: "ok" });

    expect(await chain.handle(run(["git", "log", "-p", "src"]))).toMatchObject({ status: "ok" });
    expect(chain.outcomes().at(-1)).toMatchObject({ decided_by });
    expect(chain.ran.at(-1)?.context.seen).toBe("as it was looked at");

    const NEIGHBOURS: readonly (readonly [readonly string[], ConsentPreview])[] = [
      [["git", "push"], shown()],
      [["git", "log", "--output=x"], shown()],
      [["git", "-c", "core.pager=x", "log"], shown()],
      [["git", "log"], shown("bubblewrap", false, "/tmp/git")],
      [["git", "log"], shown(null, true)],
      [["git", "log"], shown("bubblewrap", true)],
      [["git", "log", "/etc/../home/ada/.ssh/id_rsa"], shown()],
    ];
    for (const [argv, looked] of NEIGHBOURS) {
      preview = looked;
      const before = chain.cards.length;
      void chain.handle(run(argv));
      await chain.settle();
      expect([argv, chain.cards.length]).toEqual([argv, before + 1]);
    }
  },
);

it("what was given to a program here gives a hub's agent nothing, and a deny rule still denies", async () => {
  const chain = chainOf(shown(), HUB);
  const { manifest_hash, agent_id } = HUB;
  const [narrow] = begins(["log"]);
  const rule = { agent_id, manifest_hash, covers: "run_command", ends_at: null, for_task: false };
  const more = { answers_high: false, made_at: 0, made_on: null } as const;
  const subject = narrow as Parameters<typeof chain.ports.grants.addRule>[0]["subject"];
  await chain.ports.grants.addRule({ ...rule, ...more, effect: "allow", subject });
  expect(await asked(chain, ["git", "log"])).toMatchObject({ sensitivity: "high" });

  const local = chainOf();
  const denies = { ...rule, manifest_hash: LOCAL.manifest_hash, ...more };
  await local.ports.grants.addRule({ ...denies, effect: "deny", subject });
  expect(await local.handle(run(["git", "log", "-p"]))).toMatchObject(DENIED);
});
