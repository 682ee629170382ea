import { describe, expect, it } from "vitest";
import { agent, client, connectForEachTest } from "../testing/each-test.ts";
import { eventually } from "../testing/eventually.ts";
import { filesContaining } from "../testing/files-containing.ts";
import { loseRequests } from "../testing/intercept-fetch.ts";
import { ALL_SCOPES, RAISED_MANIFEST } from "../testing/test-manifest.ts";

connectForEachTest({ withAnother: true });

const rename = (petname: string | null) =>
  client.call("agents.rename", { agent_id: agent.id, petname });

describe("the person's own name for an agent", () => {
  it("is shown with the agent's on cards and requests, even after a restart; shared names are reported", async () => {
    await rename("  Archivist ");
    await client.restart();
    expect(await client.card(agent)).toMatchObject({ name: "Test agent", petname: "Archivist" });
    await client.reconnected();
    const waiting = agent.write();
    expect(await client.waitingCard()).toMatchObject({
      agent_name: "Test agent",
      petname: "Archivist",
    });
    await rename(null);
    const alone = {
      petname: null,
      name_is_shared: false,
      in_own_conversation: true,
    };
    expect(await client.waitingCard()).toMatchObject(alone);
    await client.addAgent();
    expect(await client.waitingCard()).toMatchObject({ name_is_shared: true });
    await client.answer("deny");
    await waiting;
  });

  it("cannot be blank, or given to an unknown agent", async () => {
    for (const blank of ["  ", "\u3164", "\u200d", "\u2800"]) {
      await expect(rename(blank)).rejects.toThrow("nothing_visible");
    }
    const nobody = { agent_id: "nobody", petname: "x" };
    await expect(client.call("agents.rename", nobody)).rejects.toThrow("not_found");
  });
});

describe("removing an agent", () => {
  it("revokes everything, ends the relation at the hub, and stays removed after a restart", async () => {
    await rename("Archivist");
    const waiting = agent.write();
    waiting.catch(() => {});
    await client.waitingCard();
    await client.call("agents.remove", { agent_id: agent.id });
    await client.cards(0);
    expect((await client.hub.relation(agent.id))?.status).toBe("revoked");
    await client.restart();
    await eventually(async () => (await client.snapshot()).hub.connected || undefined);
    expect((await client.snapshot()).agents).toEqual([]);
    expect((await client.log()).map(({ reason }) => reason)).toEqual(["permission_revoked"]);
    const remove = client.call("agents.remove", { agent_id: agent.id });
    await expect(remove).rejects.toThrow("not_found");
  });

  it("keeps the agent, with nothing granted, while the hub cannot be reached", async () => {
    loseRequests("DELETE");
    const remove = client.call("agents.remove", { agent_id: agent.id });
    await expect(remove).rejects.toThrow("hub_unreachable");
    expect(new Set(Object.values(await client.grants(agent)))).toEqual(new Set(["revoked"]));
  });
});

describe("an agent's status at the hub", () => {
  const standing = (relation: string) =>
    eventually(async () => {
      const card = await client.card(agent);
      return card.relation === relation ? card : undefined;
    });

  it("follows what the hub says of the relation", async () => {
    expect(await client.card(agent)).toMatchObject({ relation: "active", delivery: "websocket" });
    await client.hub.suspendRelation(agent.id);
    await standing("suspended");
    await client.restart();
    await standing("suspended");
    await client.hub.restoreRelation(agent.id);
    await standing("active");
    await eventually(async () => (await client.card(agent)).online || undefined);
    await client.hub.revokeRelation(agent.id);
    await standing("revoked");
    await eventually(async () => ((await client.card(agent)).online ? undefined : true));
  });
});

describe("what changed since an agent was reviewed", () => {
  const differences = () => client.call("agents.differences", { agent_id: agent.id });

  it("is listed by scope, old and new, breaking changes first, until it is reviewed", async () => {
    expect(await differences()).toMatchObject({ differences: [], in_all: 0 });
    await client.hub.patchManifest(agent.id, agent.credentials.token, RAISED_MANIFEST);
    await eventually(async () => (await differences()).in_all > 0 || undefined);
    const found = await differences();
    expect(found.digest).not.toBe(found.reviewed_digest);
    expect(found.differences).toEqual([
      {
        subject: "scope",
        id: "notification:send",
        kind: "changed",
        breaking: true,
        members: [{ member: "sensitivity", before: "low", after: "medium" }],
      },
      {
        subject: "manifest",
        id: "",
        kind: "changed",
        breaking: false,
        members: [{ member: "agent_version", before: "1.0.0", after: "2.0.0" }],
      },
    ]);
    await client.setScopes(agent, ALL_SCOPES);
    expect(await differences()).toMatchObject({ differences: [], in_all: 0 });
  });
});

describe("requests that ended while the person was away", () => {
  const missed = async () => (await client.snapshot()).missed;
  const timeOut = async () => {
    const waiting = agent.call("read_clipboard");
    const { request_id } = await client.waitingCard();
    await client.call("consent.opened", { request_id });
    client.time.jump(30_000);
    expect(await waiting).toEqual({ refused: "user_timeout" });
  };

  it("are kept across a restart, with tool, agent and time only, until they are dismissed", async () => {
    await timeOut();
    const secret = "a text that nobody saw";
    agent.write(secret).catch(() => {});
    await client.waitingCard();
    agent.sdk.disconnect();
    await eventually(async () => {
      client.time.jump(5_000);
      return (await missed()).requests.length === 2 || undefined;
    });
    await client.restart();
    const { requests, more } = await missed();
    expect(more).toBe(0);
    const { id: agent_id } = agent;
    expect(requests).toMatchObject([
      {
        agent_id,
        agent_name: "Test agent",
        tool_name: "write_clipboard",
        why: "cancelled",
      },
      { agent_id, agent_name: "Test agent", tool_name: "read_clipboard", why: "user_timeout" },
    ]);
    expect(requests.every(({ asked_at, ended_at }) => ended_at > asked_at)).toBe(true);
    expect(filesContaining(client.dataDir, secret)).not.toContain("consentry.db");
    await client.call("missed.dismiss", {});
    await client.restart();
    expect(await missed()).toEqual({ requests: [], more: 0 });
  });

  it("do not include those that the person answered or ended by revoking", async () => {
    await client.answered(agent.write(), "deny");
    const revoked = agent.write();
    await client.waitingCard();
    await client.call("permissions.revoke_agent", { agent_id: agent.id });
    await revoked;
    expect(await missed()).toEqual({ requests: [], more: 0 });
  });
});
