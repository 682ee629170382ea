import { getEventListeners } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { setImmediate as turn } from "node:timers/promises";
import { expect } from "vitest";
import type { JsonObject } from "../../../app/contract/json.ts";
import type { Tool, ToolContext } from "../../../app/execution/ports.ts";
import { toolContext } from "./tool-context.ts";

/**
 * Number of calls of a tool (`CONSENTRY_CANCELLED_CALLS`, by default 2,500), aborted before they
 * begin, while they begin, on their way and after their end. A call must settle by the next turn of
 * the event loop, so no clock is needed to show that it stopped within 100 ms.
 */
export const CALLS = Number(process.env.CONSENTRY_CANCELLED_CALLS ?? 2_500);
const AT_ONCE = 250;
/** Maximum turns of the event loop that a call on its way is given. */
export const TURNS = 21;

export type Kind = "before" | "beginning" | "on its way" | "after";

/** Twenty calls in a row; most cost next to nothing. */
const KINDS: readonly Kind[] = [
  ...Array.from({ length: 8 }, () => "before" as const),
  ...Array.from({ length: 8 }, () => "beginning" as const),
  ...Array.from({ length: 3 }, () => "on its way" as const),
  "after",
];

interface Ended {
  readonly kind: Kind;
  /** `done`, the word it failed with, or `open` if it outlived its signal by a turn. */
  readonly word: unknown;
  readonly listeners: number;
}

async function cancelledCall(many: Many, nth: number): Promise<Ended> {
  const kind = KINDS[nth % KINDS.length] ?? "before";
  const stop = new AbortController();
  const { signal } = stop;
  if (kind === "before") stop.abort();
  let word: unknown = "open";
  const call = many.tool.run(many.args(kind, nth), toolContext({ ...many.given, signal })).then(
    () => {
      word = "done";
    },
    (error: { readonly code?: unknown }) => {
      word = error.code;
    },
  );
  if (kind === "on its way") await turns((nth * 7) % TURNS);
  if (kind === "after") await call;
  stop.abort();
  await turn();
  return { kind, word, listeners: getEventListeners(signal, "abort").length };
}

export async function turns(count: number): Promise<void> {
  for (let at = 0; at < count; at += 1) await turn();
}

export interface Many {
  readonly tool: Tool;
  readonly args: (kind: Kind, nth: number) => JsonObject;
  readonly given?: Partial<ToolContext>;
}

/** The outcomes of all calls, each listed once. */
export async function cancelMany(many: Many): Promise<ReadonlySet<string>> {
  const told = new Set<string>();
  for (let from = 0; from < CALLS; from += AT_ONCE) {
    const calls = Array.from({ length: AT_ONCE }, (_, at) => cancelledCall(many, from + at));
    for (const { kind, word, listeners } of await Promise.all(calls)) {
      told.add(listeners === 0 ? `${kind}: ${word}` : `${kind}: ${listeners} listeners`);
    }
  }
  return told;
}

export function expectCancelled(told: ReadonlySet<string>): void {
  // Some had finished on their way, before anybody stopped them.
  expect([...told].filter((what) => what !== "on its way: done").toSorted()).toEqual([
    "after: done",
    "before: cancelled",
    "beginning: cancelled",
    "on its way: cancelled",
  ]);
}

/** What the system and Node report as open in this process. */
export const held = () => ({
  descriptors: readdirSync("/proc/self/fd").length,
  threads: readdirSync("/proc/self/task").length,
  handles: process.getActiveResourcesInfo().filter((kind) => /Wrap|Worker|Port/.test(kind)).length,
});

/** Waits for some turns until everything is released. */
export async function expectHeld(before: ReturnType<typeof held>): Promise<void> {
  for (let at = 0; at < 1000 && JSON.stringify(held()) !== JSON.stringify(before); at += 1) {
    await turn();
  }
  expect(held()).toEqual(before);
}

/** Programs that were started and have not ended. */
export const children = (): string =>
  readdirSync("/proc/self/task")
    .map((task) => readFileSync(`/proc/self/task/${task}/children`, "utf8"))
    .join("");
