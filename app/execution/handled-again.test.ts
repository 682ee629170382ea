import { describe, expect, it } from "vitest";
import { agentWith, callTo, House } from "./testing/house.ts";

const REUSED = { call_id: "reused", args: { text: "copied" } };

describe("the same call again", () => {
  it("gets the same response, nothing executed twice and no second prompt", async () => {
    const house = new House();
    const arrival = callTo("read_clipboard", { call_id: "again" });
    const first = house.handle(arrival);
    const during = house.handle(arrival);
    await house.settle();
    expect(house.desk.waiting()).toHaveLength(1);
    await house.answer("allow_once");
    const answer = await first;
    expect(await during).toEqual(answer);
    expect(await house.handle(arrival)).toEqual(answer);
    expect(house.ran).toHaveLength(1);
    expect(house.outcomes()).toHaveLength(1);
  });

  it("a refusal is repeated too, although the scope has been granted since", async () => {
    const house = new House();
    house.agent = agentWith({ grants: { "clipboard:read": "revoked" } });
    const arrival = callTo("read_clipboard");
    const answer = await house.handle(arrival);
    house.agent = agentWith({});
    expect(await house.handle(arrival)).toEqual(answer);
  });

  it.each([
    ["other arguments", callTo("write_clipboard", { call_id: "reused", args: { text: "other" } })],
    ["another tool", callTo("read_clipboard", { call_id: "reused" })],
    ["another tool of the same arguments", callTo("read_clipboard", REUSED)],
  ])("its id with %s is call_id_reused, and does not shadow the first", async (_name, other) => {
    const house = new House();
    const first = callTo("write_clipboard", { call_id: "reused" });
    const pending = house.handle(first);
    await house.settle();
    expect(await house.handle(other)).toMatchObject({ reason: "call_id_reused" });
    await house.answer("allow_once");
    const answer = await pending;
    expect(await house.handle(other)).toMatchObject({ reason: "call_id_reused" });
    expect(await house.handle(first)).toEqual(answer);
    expect(house.ran).toHaveLength(1);
  });

  it("a result no longer kept is said to be so, and is not made again", async () => {
    const house = new House();
    const arrival = callTo("send_notification", { call_id: "old" });
    const { decoded } = arrival;
    if (decoded.kind === "call") house.open.set("agent-1/old", decoded.call);
    expect(await house.handle(arrival)).toMatchObject({ reason: "result_expired" });
    expect(house.ran).toEqual([]);
  });
});

describe("revocation", () => {
  it("takes a waiting request back and says permission_revoked", async () => {
    const house = new House();
    const response = house.handle(callTo("read_clipboard"));
    await house.settle();
    house.ports.live.end({ scope: "clipboard:read" }, "scope_revoked");
    expect(await response).toMatchObject({ status: "denied", reason: "permission_revoked" });
  });

  it("between the answer and the run is noticed", async () => {
    const house = new House();
    const response = house.handle(callTo("read_clipboard"));
    await house.settle();
    house.agent = agentWith({ grants: { "clipboard:read": "revoked" } });
    await house.answer("allow_once");
    expect(await response).toMatchObject({ status: "denied", reason: "permission_revoked" });
    expect(house.ran).toEqual([]);
  });

  it("stops what is running under the scope", async () => {
    const house = new House();
    house.runs = () => new Promise(() => {});
    const response = house.handle(callTo("send_notification"));
    await house.settle();
    house.ports.live.end({ scope: "notification:send" }, "scope_revoked");
    expect(await response).toMatchObject({ status: "denied", reason: "permission_revoked" });
    expect(house.ran[0]?.context.signal.aborted).toBe(true);
  });

  it("what would begin after the program began to end is put off: it comes again", async () => {
    const house = new House();
    await house.ports.live.shutDown();
    expect(await house.handle(callTo("send_notification"))).toBeNull();
    expect([house.ran, house.records]).toEqual([[], []]);
  });

  it("a manifest that changed while the person was reading is not what they approved", async () => {
    const house = new House();
    const response = house.handle(callTo("read_clipboard"));
    await house.settle();
    house.agent = agentWith({ timeout_ms: 9_000 });
    await house.answer("allow_once");
    expect(await response).toMatchObject({ reason: "manifest_changed" });
    expect(house.ran).toEqual([]);
  });

  it("an agent that is gone has its request withdrawn, and the log says so", async () => {
    const house = new House();
    const response = house.handle(callTo("read_clipboard"));
    await house.settle();
    house.ports.live.end({}, "agent_gone");
    expect(await response).toMatchObject({ reason: "agent_disconnected" });
    expect(house.outcomes()).toMatchObject([{ reason: "agent_disconnected", status: "error" }]);
  });

  it("a shutdown answers nothing and stores nothing, so the call comes again", async () => {
    const house = new House();
    const response = house.handle(callTo("read_clipboard"));
    await house.settle();
    house.ports.live.end({}, "shutdown");
    expect(await response).toBeNull();
    expect(house.records).toEqual([]);
  });
});
