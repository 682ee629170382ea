import { describe, expect, it } from "vitest";
import type { ConsentPreview } from "../contract/consent-preview.ts";
import { sampleRule } from "../grants/testing/sample-rule.ts";
import type { Preview } from "./ports.ts";
import { agentWith, ChainHarness, callTo } from "./testing/chain-harness.ts";

const NOTHING: Preview = { shown: null, seen: "as it was drawn" };

/** From now on each preview is being drawn until the returned function is called. */
function holdPreviews(chain: ChainHarness, preview = NOTHING) {
  const { promise, resolve } = Promise.withResolvers<void>();
  chain.previews = () => promise.then(() => preview);
  return async () => {
    resolve();
    await chain.settle();
  };
}

describe("while a call's preview is drawn", () => {
  it("a quiet period that begins decides it", async () => {
    const chain = new ChainHarness();
    await chain.start("read_clipboard");
    const drawn = holdPreviews(chain);
    const { response } = await chain.start("read_clipboard");
    await chain.answer("allow_in_conversation");
    await drawn();
    expect(chain.cards).toEqual([]);
    expect(await response).toMatchObject({ status: "ok" });
    expect(chain.outcomes().at(-1)?.decided_by).toBe("window");
  });

  it("a profile that asks nobody refuses it", async () => {
    const chain = new ChainHarness();
    const drawn = holdPreviews(chain);
    const { response } = await chain.start("read_clipboard");
    chain.settings = { ...chain.settings, profile: "hands_off" };
    await drawn();
    expect(chain.cards).toEqual([]);
    expect(await response).toMatchObject({ status: "denied", reason: "user_refused" });
    expect(chain.outcomes()[0]?.decided_by).toBe("hands_off");
  });

  it("a profile or a rule that has it asked each time leaves it no other approval", async () => {
    const chain = new ChainHarness();
    const drawn = holdPreviews(chain);
    await chain.start("read_clipboard");
    await chain.start("write_clipboard");
    chain.rules = [sampleRule({ covers: "read_clipboard", effect: "ask" })];
    chain.settings = { ...chain.settings, profile: "ask_everything" };
    await drawn();
    const each = ["deny", "allow_once"];
    expect(chain.cards.map(({ answers }) => answers)).toEqual([each, each]);
  });

  it.each([
    ["allow", "ok"],
    ["deny", "denied"],
  ] as const)("a rule to %s it decides it, and is counted once", async (effect, status) => {
    const chain = new ChainHarness();
    const drawn = holdPreviews(chain);
    const { response } = await chain.start("read_clipboard");
    const { manifest_hash } = chain.agent;
    chain.rules = [sampleRule({ covers: "read_clipboard", effect, manifest_hash })];
    await drawn();
    expect(chain.cards).toEqual([]);
    expect(await response).toMatchObject({ status });
    expect(chain.rules).toMatchObject([{ uses: 1 }]);
    // Nobody saw what was drawn, so nothing has to be as it was shown.
    expect(chain.ran.map(({ context }) => context.seen)).toEqual(status === "ok" ? [null] : []);
  });

  it("a rule for a command decides it by the program that was looked up, and runs that", async () => {
    const agent = agentWith({ toolScopes: { run_command: "shell:exec" } });
    const program = "/usr/bin/git";
    const shown: ConsentPreview = {
      kind: "command",
      program,
      sandbox: "bubblewrap",
      network: false,
    };
    const chain = new ChainHarness({ agent });
    const drawn = holdPreviews(chain, { shown, seen: "as it was looked up" });
    const args = { argv: ["git", "log"], directory: "/p" };
    const { response } = await chain.start("run_command", { scope: "shell:exec", args });
    const subject = { kind: "command" as const, program, begins: ["log"] };
    const { manifest_hash } = agent;
    chain.rules = [
      sampleRule({ covers: "run_command", subject, answers_high: true, manifest_hash }),
    ];
    await drawn();
    expect(chain.cards).toEqual([]);
    expect(await response).toMatchObject({ status: "ok" });
    expect(chain.ran[0]?.context.seen).toBe("as it was looked up");
  });

  it("its agent can give it up, and no rule counts that as a use", async () => {
    const chain = new ChainHarness();
    const drawn = holdPreviews(chain);
    const call = callTo("read_clipboard");
    const response = chain.handle(call);
    await chain.settle();
    chain.rules = [sampleRule({ covers: "read_clipboard", effect: "deny" })];
    chain.ports.live.end({}, "cancelled");
    await drawn();
    expect(await response).toMatchObject({ reason: "cancelled" });
    expect(chain.rules).toMatchObject([{ uses: 0 }]);
  });

  const changed = agentWith({ sensitivity: { "clipboard:write": "high" } });
  const revoked = agentWith({ grants: { "clipboard:read": "revoked" } });
  it.each<[string, Partial<ChainHarness>, string]>([
    ["is suspended", { withheld: "suspended" }, "permission_revoked"],
    ["has the scope revoked", { agent: revoked }, "permission_revoked"],
    ["changes its manifest", { agent: changed }, "manifest_changed"],
  ])("nobody is asked any more if its agent %s", async (_, change, reason) => {
    const chain = new ChainHarness();
    const drawn = holdPreviews(chain);
    const { response } = await chain.start("read_clipboard");
    Object.assign(chain, change);
    await drawn();
    expect(chain.cards).toEqual([]);
    expect(await response).toMatchObject({ reason });
    expect(chain.outcomes()).toMatchObject([{ reason, decided_by: "contract" }]);
  });
});
