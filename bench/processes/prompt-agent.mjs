// An agent whose calls need the person's answer: `<hub>`; it then follows orders from its parent
// process.
import { HasheeAgent } from "../../dist/sdk/index.js";
import { manifestOf } from "./manifest-of.ts";

const [baseUrl] = process.argv.slice(2);
/** Calls of a flood in flight at once: fewer than the hub stores for one recipient. */
const AT_ONCE = 500;

const manifest = manifestOf({ write_clipboard: ["clipboard:write", "medium"] });

const say = (said) => process.send?.(said);
const { agent, credentials } = await HasheeAgent.pair({
  name: "Bench",
  manifest,
  baseUrl,
  onCode: () => say({ event: "asked" }),
  // What the client does with too many is measured.
  callsAtOnce: Number.POSITIVE_INFINITY,
});

const ask = (text, signal) =>
  agent.callTool(
    credentials.conversationId,
    "write_clipboard",
    { text },
    { timeoutMs: 3_600_000, signal },
  );

let giveUp = new AbortController();

/** Counts how calls ended. Those that the person is asked about end when they are cancelled. */
async function flood(count) {
  const ends = {};
  let left = count;
  const lane = async () => {
    while (left > 0) {
      left -= 1;
      const end = await ask(`flood ${left}`, giveUp.signal).then(
        () => "allowed",
        (error) => error.reason ?? error.code ?? error.name,
      );
      ends[end] = (ends[end] ?? 0) + 1;
      const ended = Object.values(ends).reduce((sum, each) => sum + each, 0);
      // All except the three that are waiting.
      if (ended === count - 3) say({ event: "flooded", ends: { ...ends } });
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  say({ event: "ended", ends });
}

process.on("message", ({ order, count }) => {
  if (order === "ask") ask("one card", giveUp.signal).catch(() => {});
  if (order === "flood") void flood(count);
  if (order !== "give_up") return;
  giveUp.abort();
  giveUp = new AbortController();
});
process.once("disconnect", () => process.exit(0));
say({ event: "ready" });
