import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { type Line, openLine } from "./fleet-line.ts";
import type { CrowdPlan } from "./fleet-plan.ts";

/** Agents that connect and stay; when their node sends them away, they come to another. */
const [file = ""] = process.argv.slice(2);
const { url, agents }: CrowdPlan = JSON.parse(readFileSync(file, "utf8"));
/** Connections opened at once: no more than a listening socket queues. */
const AT_ONCE = 50;
/** After a failed attempt, as clients wait. */
const AGAIN_MS = 1_000;

const open = ({ agent_id, token }: CrowdPlan["agents"][number], where: string): Promise<Line> =>
  openLine(`${where}/ws/agent`, { agent_id, token }, () => undefined);

const lines: Line[] = [];
for (let at = 0; at < agents.length; at += AT_ONCE) {
  const some = agents.slice(at, at + AT_ONCE);
  lines.push(...(await Promise.all(some.map((agent) => open(agent, url)))));
}

/** Comes again when it is told to. @returns how long it took from then, in ms */
async function follow(nth: number, next: string): Promise<number> {
  const agent = agents[nth];
  const line = lines[nth];
  if (agent === undefined || line === undefined) throw new RangeError("no such agent");
  const [, ms = "0"] = /^retry_after_ms=(\d+)$/.exec(await line.closed) ?? [];
  await wait(Number(ms));
  const began = performance.now();
  for (;;) {
    const opened = await open(agent, next).catch(() => undefined);
    lines[nth] = opened ?? line;
    if (opened !== undefined) return performance.now() - began;
    await wait(AGAIN_MS);
  }
}

process.on("message", ({ next, count }: { readonly next: string; readonly count: number }) => {
  for (const line of lines.slice(count)) line.close();
  const following = Array.from({ length: count }, (_, nth) => follow(nth, next));
  process.send?.({ answer: "following" });
  Promise.all(following).then(
    (samples) => process.send?.({ answer: samples }),
    (error: unknown) => {
      console.error(error);
      process.exit(1);
    },
  );
});
process.once("disconnect", () => process.exit(0));
process.send?.({ answer: "connected" });
