import { describe, expect, it } from "vitest";
import { turn } from "../../app/contract/testing/manual-time.ts";
import { REAUTH_NOTICE, ScriptedHub } from "./testing/scripted-hub.ts";

let hub: ScriptedHub;
ScriptedHub.forEachTest((begun) => {
  hub = begun;
});

describe("a wanted re-consent", () => {
  const RECEIVED = { type: "notice.received", notice_id: "7" };

  it("is reported received once it is durable, and not before", async () => {
    const held = Promise.withResolvers<boolean>();
    hub.handles = () => held.promise;
    await hub.tell(REAUTH_NOTICE);
    expect(hub.heard).not.toContainEqual(RECEIVED);
    held.resolve(true);
    await turn();
    expect(hub.heard).toContainEqual(RECEIVED);
  });

  it("is not reported when it could be lost", async () => {
    await hub.tell(REAUTH_NOTICE);
    expect(hub.events).toContain("reauth agent");
    expect(hub.heard).not.toContainEqual(RECEIVED);
  });

  it("is reported on the next connection when one was lost in between", async () => {
    const held = Promise.withResolvers<boolean>();
    hub.handles = () => held.promise;
    hub.send(REAUTH_NOTICE);
    await hub.lose();
    held.resolve(true);
    hub.time.pass(1_000);
    await hub.letIn();
    expect(hub.heard).not.toContainEqual(RECEIVED);
    await hub.tell(REAUTH_NOTICE);
    expect(hub.heard).toContainEqual(RECEIVED);
  });
});
