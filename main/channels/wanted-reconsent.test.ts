import { beforeEach, describe, expect, it } from "vitest";
import { turn } from "../../app/contract/testing/manual-time.ts";
import { ScriptedHub } from "./testing/scripted-hub.ts";

let hub: ScriptedHub;
beforeEach(async () => {
  hub = new ScriptedHub();
  await hub.connect();
});

describe("a wanted re-consent", () => {
  const notice = {
    type: "h2a.reauth_required",
    payload: {
      notice_id: "7",
      agent_id: "agent",
      new_manifest_version: 2,
      new_manifest_hash: "h",
      scopes_requiring_reauth: ["x"],
    },
  };
  const RECEIVED = { type: "notice.received", notice_id: "7" };

  it("is reported received once it is durable, and not before", async () => {
    const held = Promise.withResolvers<boolean>();
    hub.handles = () => held.promise;
    hub.send(notice);
    await turn();
    expect(hub.heard).not.toContainEqual(RECEIVED);
    held.resolve(true);
    await turn();
    expect(hub.heard).toContainEqual(RECEIVED);
  });

  it("is not reported when it could be lost", async () => {
    hub.send(notice);
    await turn();
    expect(hub.events).toContain("reauth agent");
    expect(hub.heard).not.toContainEqual(RECEIVED);
  });

  it("is reported on the next connection when one was lost in between", async () => {
    const held = Promise.withResolvers<boolean>();
    hub.handles = () => held.promise;
    hub.send(notice);
    await hub.lose();
    held.resolve(true);
    hub.time.pass(1_000);
    await hub.letIn();
    expect(hub.heard).not.toContainEqual(RECEIVED);
    hub.send(notice);
    await turn();
    expect(hub.heard).toContainEqual(RECEIVED);
  });
});
