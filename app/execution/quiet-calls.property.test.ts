import fc from "fast-check";
import { expect, it } from "vitest";
import { isInFolder } from "../contract/folder-path.ts";
import type { JsonObject } from "../contract/json.ts";
import { agentWith, ChainHarness, callTo } from "./testing/chain-harness.ts";

interface Asked {
  readonly tool: string;
  readonly scope: string;
  readonly args: JsonObject;
  readonly agent_id: string;
  readonly conversation_id: string;
}

const folder = fc.constantFrom("/p", "/p/a", "/p/a/b", "/p/ab", "/q");
const fileCall = fc.oneof(
  fc.record({
    tool: fc.constantFrom("list_directory", "search_files"),
    args: fc.record({ path: folder }),
  }),
  fc.record({
    tool: fc.constant("read_file"),
    args: fc.record({ path: folder.map((path) => `${path}/file`) }),
  }),
);
const url = fc
  .tuple(
    fc.constantFrom("http", "https"),
    fc.constantFrom("a.test", "b.test", "A.test"),
    fc.constantFrom("", ":80", ":443", ":8080"),
  )
  .map(([scheme, host, port]) => `${scheme}://${host}${port}/x`);
const headers = fc.dictionary(
  fc.constantFrom("accept", "Range", "Authorization", "x-api-key", "X-Else"),
  fc.constant("v"),
  { maxKeys: 2 },
);
const fetchCall = fc.record({
  tool: fc.constant("fetch_url"),
  args: fc.oneof(
    fc.record({ url, headers }, { requiredKeys: ["url"] }),
    fc.record({ url, method: fc.constantFrom("GET", "HEAD", "POST") }),
  ),
});
const asked: fc.Arbitrary<Asked> = fc
  .tuple(
    fc.oneof(fileCall, fetchCall),
    fc.constantFrom("agent-1", "agent-1", "agent-2"),
    fc.constantFrom("conversation-1", "conversation-1", "conversation-2"),
  )
  .map(([call, agent_id, conversation_id]) => ({
    ...call,
    scope: call.tool === "fetch_url" ? "network:http" : "filesystem:read",
    agent_id,
    conversation_id,
  }));

const TOOLS = {
  list_directory: "filesystem:read",
  search_files: "filesystem:read",
  fetch_url: "network:http",
};
const known = () => ({
  ...agentWith({ toolScopes: TOOLS, sensitivity: { "network:http": "medium" } }),
  roots: ["/p", "/q"].map((path) => ({
    root_id: path,
    path,
    access: "read" as const,
    added_at: 0,
  })),
});

/** Runs `call` in a chain; whether it ran without anybody being asked. */
async function isSilent(chain: ChainHarness, { tool, ...shape }: Asked): Promise<boolean> {
  chain.agent = { ...chain.agent, agent_id: shape.agent_id };
  const before = chain.ran.length;
  void chain.handle(callTo(tool, shape));
  await chain.settle();
  return chain.ran.length > before;
}

/** The rule, written independently of the code: what the person saw. */
function isWithinShown(shown: Asked, next: Asked): boolean {
  if (shown.tool === "fetch_url" || next.tool === "fetch_url") {
    const [one, other] = [String(shown.args.url), String(next.args.url)].map(
      (text) => new URL(text),
    );
    const port = (at: URL | undefined) => at?.port || (at?.protocol === "https:" ? "443" : "80");
    return (
      shown.tool === next.tool && one?.hostname === other?.hostname && port(one) === port(other)
    );
  }
  const outer = String(shown.args.path).replace(/\/file$/, "");
  return isInFolder(outer, String(next.args.path));
}

const sends = ({ args }: Asked): boolean =>
  args.method === "POST" ||
  Object.keys(args.headers ?? {}).some((name) => !["accept", "Range"].includes(name));

const samePlace = (one: Asked, other: Asked): boolean =>
  one.scope === other.scope &&
  one.agent_id === other.agent_id &&
  one.conversation_id === other.conversation_id;

it("a call is silent exactly where the card that was answered showed its host or folder", async () => {
  const silent = { yes: 0, no: 0 };
  await fc.assert(
    fc.asyncProperty(asked, asked, async (shown, next) => {
      fc.pre(!sends(shown));
      const chain = new ChainHarness();
      chain.agent = known();
      expect(await isSilent(chain, shown)).toBe(false);
      await chain.answer("allow_in_conversation");
      const expected = samePlace(shown, next) && isWithinShown(shown, next) && !sends(next);
      expect(await isSilent(chain, next)).toBe(expected);
      silent[expected ? "yes" : "no"] += 1;
    }),
    { numRuns: 400 },
  );
  expect(Math.min(silent.yes, silent.no)).toBeGreaterThan(0);
});

it("the wider answer covers the scope, but never sending data", async () => {
  await fc.assert(
    fc.asyncProperty(asked, asked, async (shown, next) => {
      fc.pre(!sends(shown));
      const chain = new ChainHarness();
      chain.agent = known();
      await isSilent(chain, shown);
      await chain.answer("allow_scope_in_conversation");
      expect(await isSilent(chain, next)).toBe(samePlace(shown, next) && !sends(next));
    }),
    { numRuns: 300 },
  );
});

it("no quiet period outlives its manifest", async () => {
  await fc.assert(
    fc.asyncProperty(asked, fc.boolean(), async (shown, wider) => {
      fc.pre(!sends(shown));
      const chain = new ChainHarness();
      chain.agent = known();
      await isSilent(chain, shown);
      await chain.answer(wider ? "allow_scope_in_conversation" : "allow_in_conversation");
      chain.agent = { ...chain.agent, manifest_hash: "f".repeat(64) };
      expect(await isSilent(chain, shown)).toBe(false);
    }),
    { numRuns: 50 },
  );
});
