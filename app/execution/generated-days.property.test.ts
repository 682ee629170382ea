import fc from "fast-check";
import { expect, it } from "vitest";
import type { Answer } from "../contract/consent-request.ts";
import { isInFolder } from "../contract/folder-path.ts";
import type { JsonObject } from "../contract/json.ts";
import { LIMITS } from "../contract/limits.ts";
import type { RuleSubject } from "../contract/rule.ts";
import { agentWith, ChainHarness, callTo } from "./testing/chain-harness.ts";

const DAYS = 10_000;
const LONGEST_PAUSE_MS = 20 * 60_000;

interface Step {
  readonly pause_ms: number;
  readonly agent_id: string;
  readonly conversation_id: string;
  readonly tool: string;
  readonly scope: string;
  readonly args: JsonObject;
  readonly reply: Reply;
}

type Reply =
  | { readonly kind: "answer"; readonly answer: Answer }
  | {
      readonly kind: "rule";
      readonly answer: "allow_once" | "deny";
      /** Of those that the card offers; beyond its end, the widest. */
      readonly subject: number;
      readonly lasts_ms: number | null;
    };

/** What the person said, in the words of the card. */
interface Said {
  readonly step: Step;
  readonly allows: boolean;
  readonly until: number;
  readonly about: RuleSubject | "shown" | "scope";
}

const TOOLS = {
  fetch_url: "network:http",
  list_directory: "filesystem:read",
  write_file: "filesystem:write",
};
const of = (tool: string, args: JsonObject) => ({ tool, args });
const path = fc.constantFrom("/p/notes.md", "/p/a/one.md", "/p/a/two.md", "/p/ab/x", "/q/y");
const url = fc.constantFrom("https://a.test/x", "https://a.test:8443/x", "http://b.test/");
const call = fc.oneof(
  { weight: 4, arbitrary: fc.record({ path }).map((args) => of("read_file", args)) },
  fc.constantFrom("/p", "/p/a", "/q").map((folder) => of("list_directory", { path: folder })),
  fc
    .record({ url, method: fc.constantFrom("GET", "GET", "POST") })
    .map((args) => of("fetch_url", args)),
  fc.constant(of("read_clipboard", {})),
  fc.record({ path }).map((args) => of("write_file", { ...args, content: "new" })),
);
const answer = fc
  .constantFrom<Answer>(
    "allow_once",
    "deny",
    "allow_in_conversation",
    "allow_scope_in_conversation",
  )
  .map((word): Reply => ({ kind: "answer", answer: word }));
const rule = fc.record({
  kind: fc.constant("rule" as const),
  answer: fc.constantFrom("allow_once" as const, "allow_once" as const, "deny" as const),
  subject: fc.nat(1),
  lasts_ms: fc.constantFrom(15 * 60_000, 8 * 3_600_000, null),
});
const step: fc.Arbitrary<Step> = fc
  .record({
    call,
    pause_ms: fc.nat(LONGEST_PAUSE_MS),
    agent_id: fc.constantFrom("agent-1", "agent-2", "agent-3"),
    conversation_id: fc.constantFrom("one", "one", "another"),
    reply: fc.oneof(answer, rule),
  })
  .map(({ call: { tool, args }, ...rest }) => ({
    ...rest,
    tool,
    args,
    scope: { ...TOOLS, read_file: "filesystem:read", read_clipboard: "clipboard:read" }[tool] ?? "",
  }));

/** Whether what was said covers a later call, written independently of the code. */
function covers({ step: was, about }: Said, next: Step): boolean {
  if (was.agent_id !== next.agent_id || next.args.method === "POST") return false;
  if (about === "shown" || about === "scope") {
    if (was.conversation_id !== next.conversation_id || was.scope !== next.scope) return false;
    if (about === "scope" || next.scope === "clipboard:read") return true;
    if (next.tool === "fetch_url") return originOf(was) === originOf(next);
    const shown = pathOf(was);
    const folder = was.tool === "read_file" ? shown.replace(/\/[^/]+$/, "") : shown;
    return isInFolder(folder, pathOf(next));
  }
  if (was.tool !== next.tool) return false;
  switch (about.kind) {
    case "anything":
      return true;
    case "path":
      return isInFolder(about.path, pathOf(next));
    case "host":
      return originOf(was) === originOf(next);
    default:
      return false;
  }
}

/** As narrow as can be: nothing that allows comes before it. */
const isAboutThis = ({ about }: Said, next: Step): boolean =>
  typeof about === "object" &&
  (about.kind === "host" || (about.kind === "path" && about.path === pathOf(next)));

const originOf = ({ args }: Step): string => new URL(String(args.url)).host;
const pathOf = ({ args }: Step): string => String(args.path);

/** Lives through a day; every call that ran unasked though nothing covers it, and how many ran so. */
async function live(day: readonly Step[]) {
  const chain = new ChainHarness();
  const known = {
    ...agentWith({
      toolScopes: TOOLS,
      sensitivity: { "network:http": "medium", "filesystem:write": "high" },
    }),
    roots: ["/p", "/q"].map((root) => ({
      root_id: root,
      path: root,
      access: "read" as const,
      added_at: 0,
    })),
  };
  const said: Said[] = [];
  const uncovered: Step[] = [];
  let unasked = 0;
  for (const next of day) {
    chain.time.pass(next.pause_ms);
    chain.agent = { ...known, agent_id: next.agent_id };
    const before = chain.ran.length;
    const { tool, ...shape } = next;
    void chain.handle(callTo(tool, shape));
    await chain.settle();
    const [card] = chain.cards;
    if (card === undefined) {
      if (chain.ran.length === before) continue;
      unasked += 1;
      const now = chain.time.now();
      const inForce = said.filter((one) => now < one.until && covers(one, next));
      const isHigh = next.scope === "filesystem:write";
      const isDenied = inForce.some((one) => !one.allows && isAboutThis(one, next));
      if (isHigh || isDenied || !inForce.some(({ allows }) => allows)) uncovered.push(next);
      continue;
    }
    said.push(...(await replyTo(chain, card, next)));
  }
  return { uncovered, unasked };
}

async function replyTo(
  chain: ChainHarness,
  card: ChainHarness["cards"][number],
  next: Step,
): Promise<Said[]> {
  const { reply } = next;
  if (reply.kind === "answer") {
    const given = card.answers.includes(reply.answer) ? reply.answer : "allow_once";
    await chain.answer(given);
    await leave(chain);
    if (given === "allow_in_conversation") return [since(next, "shown")];
    return given === "allow_scope_in_conversation" ? [since(next, "scope")] : [];
  }
  const about = card.rule_subjects[reply.subject] ?? card.rule_subjects.at(-1);
  if (about === undefined || about.kind === "commands") {
    await chain.answer(reply.answer);
    await leave(chain);
    return [];
  }
  const ends_at = reply.lasts_ms === null ? null : chain.time.now() + reply.lasts_ms;
  await chain.answer(reply.answer, null, { subject: about, ends_at, for_task: false });
  await leave(chain);
  const allows = reply.answer === "allow_once";
  return [{ step: next, allows, until: ends_at ?? Infinity, about }];
}

/** A denial leaves once it can no longer be taken back. */
async function leave(chain: ChainHarness): Promise<void> {
  chain.time.pass(LIMITS.denialHeldMs);
  await chain.settle();
}

/** A quiet period ends with its agent, its manifest or by hand, none of which happens in these days. */
const since = (step: Step, about: "shown" | "scope"): Said => ({
  step,
  allows: true,
  until: Infinity,
  about,
});

it("in no generated day does a call run that the person neither answered nor covered", async () => {
  let unasked = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (day) => {
      const lived = await live(day);
      expect(lived.uncovered).toEqual([]);
      unasked += lived.unasked;
    }),
    { numRuns: DAYS },
  );
  expect(unasked).toBeGreaterThan(DAYS);
}, 120_000);
