import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LIMITS } from "../../../app/contract/limits.ts";
import { eventually } from "../../client/testing/eventually.ts";
import { LaunchedClient } from "../../client/testing/launched-client.ts";
import type { CallAnswer } from "./call-answer.ts";
import { LocalAgent } from "./testing/local-agent.ts";

const PARKED_AFTER_MS = 45_000;

let client: LaunchedClient;
let agent: LocalAgent;
beforeEach(async () => {
  client = await LaunchedClient.start();
  agent = new LocalAgent(client);
  await agent.paired(["clipboard:write", "filesystem:read"]);
});
afterEach(() => client.end());

const write = (text = "text", of = agent) => of.call("write_clipboard", { text });

/** Time passes until a request is answered; how soon the program has heard of it is the system's affair. */
async function passTime(request: Promise<CallAnswer>): Promise<CallAnswer> {
  let answer: CallAnswer | undefined;
  void request.then((given) => {
    answer = given;
  });
  return eventually(async () => {
    client.time.jump(PARKED_AFTER_MS);
    await client.snapshot();
    return answer;
  });
}

/** A call that the person looks at for longer than clients wait. */
async function parked(text?: string): Promise<{ ticket: string }> {
  const call = write(text);
  await client.waitingCard();
  const answer = await passTime(call);
  if (answer.kind !== "parked") throw new Error(answer.kind);
  expect(answer.task.waits_for).toBe("person");
  return answer.task;
}

describe("a call that waits longer than clients do", () => {
  it("is answered with a ticket, which gives the answer however often it is asked for; the tool runs once", async () => {
    const { ticket } = await parked();
    await client.answer("allow_once");
    await eventually(async () => (client.platform.writes.length === 1 ? true : undefined));
    expect(await agent.collect(ticket)).toMatchObject({ kind: "ok" });
    expect(await agent.collect(ticket)).toMatchObject({ kind: "ok" });
    expect(client.platform.writes).toEqual(["text"]);
    expect(await client.log()).toHaveLength(1);
  });

  it("is what an identical call waits for, and the person is shown one card", async () => {
    await parked();
    const again = write();
    await client.snapshot();
    expect(await client.cards(1)).toHaveLength(1);
    await client.answer("allow_once");
    expect(await again).toMatchObject({ kind: "ok" });
    expect(client.platform.writes).toEqual(["text"]);
    const third = write();
    await client.answer("deny");
    expect(await third).toMatchObject({ kind: "refused", reason: "user_refused" });
  });

  it("can be waited for again and again, with the same ticket", async () => {
    const { ticket } = await parked();
    const collecting = agent.collect(ticket);
    const again = { kind: "parked", task: { ticket, waits_for: "person" } };
    expect(await passTime(collecting)).toMatchObject(again);
    expect(await passTime(write())).toMatchObject(again);
    const other = write("other");
    await client.cards(2);
    expect(await passTime(other)).not.toMatchObject({ task: { ticket } });
  });

  it("is collected by nobody but its agent", async () => {
    const { ticket } = await parked();
    const other = new LocalAgent(client, "Other agent");
    await other.paired(["clipboard:write"]);
    expect(await other.collect(ticket)).toEqual({ kind: "no_such_ticket" });
    const same = write("text", other);
    await client.cards(2);
    const lost = expect(same).rejects.toMatchObject({ code: "lost" });
    other.close();
    await lost;
  });

  it("is withdrawn once its client is away for longer than a reconnect takes", async () => {
    await parked();
    agent.close();
    await eventually(async () => {
      const { agents } = await client.snapshot();
      return agents[0]?.online === false ? true : undefined;
    });
    client.time.jump(LIMITS.agentAbsenceGraceMs);
    await client.cards(0);
    expect(client.platform.writes).toEqual([]);
  });
});

describe("a client that wants to hear how a call gets on", () => {
  it("hears every 10 s whom it waits for, and waits longer", async () => {
    const heard: string[] = [];
    const call = agent.call("write_clipboard", { text: "x" }, { progress: (p) => heard.push(p) });
    await client.waitingCard();
    for (let count = 1; count <= 6; count += 1) {
      client.time.jump(10_000);
      await eventually(async () => (heard.length === count ? true : undefined));
    }
    expect(new Set(heard)).toEqual(new Set(["Waiting for the person to answer"]));
    await client.answer("allow_once");
    expect(await call).toMatchObject({ kind: "ok" });
  });
});

describe("what ends a call", () => {
  const outcomes: Record<string, (call: Promise<CallAnswer>, stop: AbortController) => unknown> = {
    user_refused: () => client.answer("deny"),
    cancelled: (_call, stop) => stop.abort(),
    permission_revoked: async () => {
      const [known] = (await client.snapshot()).agents;
      const agent_id = known?.agent_id ?? "";
      await client.call("permissions.revoke_scope", { agent_id, scope: "clipboard:write" });
    },
  };
  it.each(Object.entries(outcomes))("%s is an answer of its own", async (reason, ends) => {
    const stop = new AbortController();
    const call = agent.call("write_clipboard", { text: "x" }, { signal: stop.signal });
    call.catch(() => {});
    await client.waitingCard();
    await ends(call, stop);
    // To a request that its client has cancelled MCP says nothing.
    if (reason === "cancelled") await client.cards(0);
    else expect(await call).toMatchObject({ kind: "refused", reason });
    const logged = async () => (await client.log()).find((line) => line.reason === reason);
    expect(await eventually(logged)).toBeDefined();
    expect(client.platform.writes).toEqual([]);
  });

  it("the end of the client's connection cancels what it waits for", async () => {
    const lost = expect(write()).rejects.toMatchObject({ code: "lost" });
    await client.waitingCard();
    agent.close();
    await lost;
    await client.cards(0);
    const [line] = await eventually(async () => {
      const log = await client.log();
      return log.length === 1 ? log : undefined;
    });
    expect(line).toMatchObject({ reason: "cancelled" });
  });

  it("the program's end answers nothing that waits, and nothing has run", async () => {
    const call = write().catch((error) => ({ kind: error.code }));
    await client.waitingCard();
    await client.close();
    expect(["put_off", "lost"]).toContain((await call).kind);
    expect(client.platform.writes).toEqual([]);
  });
});
