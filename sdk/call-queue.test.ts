import { expect, it } from "vitest";
import { turn } from "../app/contract/testing/manual-time.ts";
import { CallQueue } from "./call-queue.ts";
import { CONVERSATION } from "./testing/fake-hub.ts";
import { MANIFEST, startAgent } from "./testing/start-agent.ts";

const LOW = MANIFEST.permission_scopes.map((scope) => ({
  ...scope,
  id: "own:look",
  sensitivity: "low" as const,
}));
const LOW_MANIFEST = {
  ...MANIFEST,
  tools: MANIFEST.tools.map((tool) => ({ ...tool, permission_scope: "own:look" })),
  permission_scopes: LOW,
};

type Parts = Awaited<ReturnType<typeof startAgent>>;
const outcomeOf = (call: Promise<unknown>) =>
  call.then(
    (result) => ({ result }),
    (error: unknown) => error,
  );
const place = ({ agent }: Parts, callId: string, options = {}, talk = CONVERSATION) =>
  outcomeOf(agent.callTool(talk, "read_file", { path: callId }, { callId, ...options }));
const answer = async ({ hub }: Parts, callId: string) => {
  await hub.respond(callId, { status: "ok", result: callId });
  await turn();
};

it("calls beyond three wait for their turn, in order, and none fails", async () => {
  const parts = await startAgent();
  const calls = ["a", "b", "c", "d", "e"].map((id) => place(parts, id));
  await turn();
  expect(await parts.hub.calls()).toEqual(["a", "b", "c"]);
  await answer(parts, "b");
  expect(await parts.hub.calls()).toEqual(["a", "b", "c", "d"]);
  for (const id of ["a", "c", "d", "e"]) await answer(parts, id);
  expect(await Promise.all(calls)).toEqual(["a", "b", "c", "d", "e"].map((result) => ({ result })));
});

it("a call that fails makes room as one that is answered does", async () => {
  const parts = await startAgent();
  const calls = ["a", "b", "c", "d"].map((id) => place(parts, id));
  await turn();
  await parts.hub.respond("a", { status: "denied", reason: "user_refused" });
  await turn();
  expect((await parts.hub.calls()).at(-1)).toBe("d");
  expect(await calls[0]).toMatchObject({ failure: { reason: "user_refused" } });
});

it("a call that is aborted while it waits for its turn is never sent, and nothing is cancelled", async () => {
  const parts = await startAgent();
  const abort = new AbortController();
  for (const id of ["a", "b", "c"]) void place(parts, id);
  const waiting = place(parts, "d", { signal: abort.signal });
  void place(parts, "e");
  await turn();
  abort.abort();
  expect(await waiting).toMatchObject({ code: "aborted" });
  await answer(parts, "a");
  expect(await parts.hub.calls()).toEqual(["a", "b", "c", "e"]);
  expect(parts.hub.frames("message.send")).toHaveLength(4);
});

it("the total time includes the wait for a turn", async () => {
  const parts = await startAgent();
  for (const id of ["a", "b", "c"]) void place(parts, id, { timeoutMs: 1_000 });
  const waiting = place(parts, "d", { timeoutMs: 50 });
  await parts.clock.advance(50);
  expect(await waiting).toMatchObject({ code: "call_timeout" });
  expect(await parts.hub.calls()).toEqual(["a", "b", "c"]);
});

it("calls that nobody answers make room when their time is over", async () => {
  const parts = await startAgent();
  for (const id of ["a", "b", "c"]) void place(parts, id, { timeoutMs: 50 });
  const waiting = place(parts, "d", { timeoutMs: 1_000 });
  await parts.clock.advance(50);
  await turn();
  expect(await parts.hub.calls()).toContain("d");
  await answer(parts, "d");
  expect(await waiting).toEqual({ result: "d" });
});

it("an agent that disconnects sends none of those that wait", async () => {
  const parts = await startAgent();
  const calls = ["a", "b", "c", "d", "e"].map((id) => place(parts, id));
  await turn();
  parts.agent.disconnect();
  for (const call of calls) expect(await call).toMatchObject({ code: "disconnected" });
  // Those that were sent are cancelled.
  expect(new Set(await parts.hub.calls())).toEqual(new Set(["a", "b", "c"]));
});

it("after a restart of the person's program only those are sent again that were sent", async () => {
  const parts = await startAgent();
  for (const id of ["a", "b", "c", "d"]) void place(parts, id);
  await turn();
  await parts.hub.lose();
  await parts.clock.advance(1_000);
  expect(new Set(await parts.hub.calls())).toEqual(new Set(["a", "b", "c"]));
});

it("calls of tools that nobody is asked about wait for nothing", async () => {
  const parts = await startAgent({ manifest: LOW_MANIFEST });
  for (const id of ["a", "b", "c", "d"]) void place(parts, id);
  await turn();
  expect(await parts.hub.calls()).toEqual(["a", "b", "c", "d"]);
});

it("calls of another conversation wait for nothing", () => {
  const queue = new CallQueue(1);
  const begun: string[] = [];
  for (const talk of ["one", "one", "other"]) queue.enter(talk, () => void begun.push(talk));
  expect(begun).toEqual(["one", "other"]);
});

it("an agent may say how many go at once", async () => {
  const parts = await startAgent({ callsAtOnce: 1 });
  for (const id of ["a", "b"]) void place(parts, id);
  await turn();
  expect(await parts.hub.calls()).toEqual(["a"]);
});
