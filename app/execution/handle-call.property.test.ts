import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ANSWERS } from "../contract/consent-request.ts";
import { canonicalJson, digestOf } from "../contract/digest.ts";
import { LIMITS } from "../contract/limits.ts";
import { decodeToolCall, encodeToolCall } from "../protocol/v1/tool-messages.ts";
import { agentWith, ChainHarness, callTo, SCOPES } from "./testing/chain-harness.ts";

const text = fc.string({ unit: "binary", minLength: 1 });
/** Arguments of `edit_file`: nested, with any characters. */
const edits = fc.record({
  path: text,
  edits: fc.array(fc.record({ old_text: text, new_text: fc.string({ unit: "binary" }) }), {
    minLength: 1,
    maxLength: 5,
  }),
});
const level = fc.constantFrom("low" as const, "medium" as const, "high" as const);
const grant = fc.constantFrom(
  "granted" as const,
  "revoked" as const,
  "awaiting_reconsent" as const,
  undefined,
);
const tool = fc.constantFrom(...Object.keys(SCOPES), "launch_rocket");

describe("for any arguments", () => {
  it("what is shown, what is executed and what is digested are one value", async () => {
    await fc.assert(
      fc.asyncProperty(edits, async (args) => {
        const chain = new ChainHarness();
        chain.agent = agentWith({ toolScopes: { edit_file: "filesystem:write" } });
        const wire = encodeToolCall({
          call_id: "c",
          tool_name: "edit_file",
          arguments: args,
          permission_scope: "filesystem:write",
        });
        const decoded = decodeToolCall(wire, "m");
        fc.pre(decoded.kind === "call");
        const response = chain.handle({ ...callTo("read_clipboard"), decoded });
        await chain.settle();
        const shown = chain.queue.waiting()[0]?.request;
        await chain.answer("allow_once");
        await response;
        const executed = chain.ran[0]?.args;
        expect(shown?.arguments).toBe(executed);
        expect(Object.isFrozen(executed)).toBe(true);
        expect(digestOf(executed ?? null)).toBe(shown?.arguments_digest);
        expect(chain.outcomes()[0]?.arguments_digest).toBe(shown?.arguments_digest);
        expect(canonicalJson(executed ?? null)).toBe(canonicalJson(args));
      }),
      { numRuns: 300 },
    );
  });
});

type GrantState = "granted" | "revoked" | "awaiting_reconsent" | undefined;

/** A chain in the middle of a history, and what its person has approved so far. */
interface History {
  readonly chain: ChainHarness;
  readonly approved: Set<string>;
  readonly grants: Record<string, GrantState>;
  readonly sensitivity: Parameters<typeof agentWith>[0]["sensitivity"];
}
type Step = (history: History) => void;

/** Each event that can happen to the program, as a step of a history. */
const call = fc.record({ tool, wrongScope: fc.boolean(), group: fc.boolean() }).map(
  ({ tool: name, wrongScope, group }): Step =>
    ({ chain }) => {
      const scope = wrongScope ? { scope: "other:scope" } : {};
      const conversation_type = group ? ("group" as const) : ("h2a" as const);
      void chain.handle(callTo(name, { ...scope, conversation_type }));
    },
);
const answer = fc.record({ word: fc.constantFrom(...ANSWERS), seen: fc.boolean() }).map(
  ({ word, seen }): Step =>
    ({ chain, approved }) => {
      const card = chain.queue.waiting()[0]?.request;
      if (card === undefined) return;
      if (seen) chain.queue.opened(card.request_id);
      chain.time.pass(LIMITS.approvalInertMs);
      const fault = chain.queue.answer(card.request_id, word, null);
      if (fault === null && word.startsWith("allow")) approved.add(card.call_id);
    },
);
const time = fc.integer({ min: 0, max: 40_000 }).map(
  (ms): Step =>
    ({ chain }) =>
      chain.time.pass(ms),
);
const regrant = fc.record({ state: grant, scope: fc.constantFrom(...Object.values(SCOPES)) }).map(
  ({ state, scope }): Step =>
    (history) => {
      history.grants[scope] = state;
      const { grants, sensitivity = {} } = history;
      history.chain.agent = agentWith({ sensitivity, grants: { ...grants } });
    },
);
const ledger = fc.boolean().map(
  (fails): Step =>
    ({ chain }) => {
      chain.ledgerFails = fails;
    },
);
const withdraw = fc
  .constantFrom("scope_revoked" as const, "agent_gone" as const, "manifest_changed" as const)
  .map(
    (why): Step =>
      ({ chain }) =>
        chain.ports.live.end({}, why),
  );

describe("for any history", () => {
  it("no path reaches a tool without a decision, and every run follows its recorded intent", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof(call, answer, time, regrant, ledger, withdraw), { maxLength: 25 }),
        fc.dictionary(fc.constantFrom(...Object.values(SCOPES)), level),
        async (steps, sensitivity) => {
          const chain = new ChainHarness();
          chain.agent = agentWith({ sensitivity });
          const history: History = { chain, approved: new Set(), grants: {}, sensitivity };
          for (const step of steps) {
            step(history);
            await chain.settle();
          }
          expectEveryRunDecided(chain, history.approved);
        },
      ),
      { numRuns: 400 },
    );
  });
});

function expectEveryRunDecided(chain: ChainHarness, approved: ReadonlySet<string>): void {
  const intents = chain.records.filter((record) => record.kind === "intent");
  expect(chain.ran).toHaveLength(intents.length);
  for (const intent of intents) {
    if (intent.decided_by === "person") expect(approved).toContain(intent.call_id);
    else expect(["silent_low", "window"]).toContain(intent.decided_by);
  }
  // One answer can cover several calls: all their intents may come before the first of them runs.
  let recorded = 0;
  for (const line of chain.journal) {
    if (line.startsWith("intent ")) recorded += 1;
    if (!line.startsWith("run ")) continue;
    recorded -= 1;
    expect(recorded).toBeGreaterThanOrEqual(0);
  }
}
