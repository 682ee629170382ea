import { beforeEach, describe, expect, test } from "vitest";
import { CLOSE } from "../lines/line.ts";
import { ROUTES } from "../testing/hub-caller.ts";
import { HubRig } from "../testing/hub-rig.ts";
import { InvitedPerson, invitationOf } from "../testing/invited-person.ts";
import { keysOf } from "../testing/key-owner.ts";
import { ofEachTest } from "../testing/of-each-test.ts";

const rig = ofEachTest(new HubRig());
const WEEK_MS = 7 * 24 * 3_600_000;

const codeOf = async (reply: Promise<{ readonly status: number; readonly json: unknown }>) => {
  const { status, json } = await reply;
  return [status, (json as { error?: { code: string } }).error?.code];
};
const OUT = [401, "UNAUTHENTICATED"];
const NOT_INVITED = [403, "INVITATION_INVALID"];

describe("an invitation", () => {
  test("lets one key in, also when its answer was lost, and then by the key alone", async () => {
    const invitation = await invitationOf(rig, "Ada");
    const ada = new InvitedPerson(rig.url, "ada");
    expect(await codeOf(ada.signIn())).toEqual(OUT);
    const first = await ada.signIn({ invitation });
    expect([first.status, first.json.data]).toMatchObject([
      200,
      { user_id: "ada", role: "member", expires_in: 300 },
    ]);
    expect((await ada.signIn({ invitation })).status).toBe(200);
    expect((await ada.signIn()).status).toBe(200);
    expect((await ada.ask("GET", "/h2a/relations")).json.data).toEqual([]);
    expect((await rig.asPerson("GET", "/people")).json.data).toMatchObject([
      { user_id: "ada", name: "Ada", role: "member", status: "active" },
    ]);
    const mallory = new InvitedPerson(rig.url, "mallory");
    expect(await codeOf(mallory.signIn({ invitation }))).toEqual(NOT_INVITED);
    const impostor = new InvitedPerson(rig.url, "ada");
    expect(await codeOf(impostor.signIn({ invitation }))).toEqual(NOT_INVITED);
    expect(await codeOf(impostor.signIn())).toEqual(OUT);
  });

  test("is over after a week, and no other text is one", async () => {
    const invitation = await invitationOf(rig, "Ada");
    const ada = new InvitedPerson(rig.url, "ada");
    expect(await codeOf(ada.signIn({ invitation: `${invitation}x` }))).toEqual(NOT_INVITED);
    rig.time.pass(WEEK_MS + 1);
    expect(await codeOf(ada.signIn({ invitation }))).toEqual(NOT_INVITED);
  });

  test("gives nobody an id that is somebody's, an agent's, or the local person's", async () => {
    const { agentId } = await rig.addAgent();
    await InvitedPerson.at(rig, "ada");
    for (const id of [agentId, "ada", rig.hub.userId]) {
      const taken = new InvitedPerson(rig.url, id);
      const invitation = await invitationOf(rig, "B");
      expect(await codeOf(taken.signIn({ invitation }))).toEqual(NOT_INVITED);
      expect((await InvitedPerson.at(rig, `b-${id}`)).token).not.toBe("");
    }
  });

  test("outlives the hub's end, and so does the account", async () => {
    await rig.restart({ onDisk: true });
    const invitation = await invitationOf(rig, "Ada");
    await rig.restart();
    const ada = new InvitedPerson(rig.url, "ada");
    expect((await ada.signIn({ invitation })).status).toBe(200);
    await rig.restart();
    ada.url = rig.url;
    expect((await ada.signIn()).status).toBe(200);
  });
});

describe("a proof", () => {
  let ada: InvitedPerson;
  beforeEach(async () => {
    ada = await InvitedPerson.at(rig, "ada");
  });

  test("of another hub's address, another challenge, an old one or another key is none", async () => {
    expect(await codeOf(ada.signIn(await ada.proof({ hub: "https://other.example" })))).toEqual(
      OUT,
    );
    const { challenge } = await ada.proof();
    expect(await codeOf(ada.signIn({ challenge }))).toEqual(OUT);
    const { access_token } = (await ada.signIn()).json.data;
    expect(await codeOf(ada.signIn({ challenge: access_token }))).toEqual(OUT);
    const old = await ada.proof();
    rig.time.pass(61_000);
    expect(await codeOf(ada.signIn(old))).toEqual(OUT);
    const { signature } = await new InvitedPerson(rig.url, "ada").proof();
    expect(await codeOf(ada.signIn({ signature }))).toEqual(OUT);
    expect(await codeOf(ada.ask("GET", "/people"))).toEqual([403, "FORBIDDEN"]);
  });

  test("gets a token for five minutes, and no challenge is one", async () => {
    const { challenge } = await ada.proof();
    expect(await codeOf(rig.rest("GET", "/h2a/relations", { token: challenge }))).toEqual(OUT);
    rig.time.pass(301_000);
    expect(await codeOf(ada.ask("GET", "/h2a/relations"))).toEqual(OUT);
  });

  test("is of the key that the account stays: no other is published for it", async () => {
    const { body } = await keysOf("ada");
    expect(await codeOf(ada.ask("PUT", "/keys/mine", body))).toEqual([403, "FORBIDDEN"]);
  });
});

describe("an owner", () => {
  test("is whoever was invited as one, and suspends, restores and removes people", async () => {
    const olga = await InvitedPerson.at(rig, "olga", "owner");
    const ada = await InvitedPerson.at(rig, "ada");
    const { agentId, token } = await rig.addAgent();
    const agent = await rig.agent({ agentId, token });
    const { relation_id } = await ada.add(agentId, ["filesystem:read"]);
    const client = await ada.connect();
    await client.next("auth.ok");
    const suspended = await olga.ask("POST", "/people/ada/suspend");
    expect(suspended.json.data).toMatchObject({ user_id: "ada", status: "suspended" });
    expect(await client.closed).toBe(CLOSE.authFailed);
    expect(await codeOf(ada.ask("GET", "/h2a/relations"))).toEqual(OUT);
    expect(await codeOf(ada.signIn())).toEqual([403, "ACCOUNT_SUSPENDED"]);
    expect(await codeOf(new InvitedPerson(rig.url, "ada").signIn())).toEqual(OUT);
    const refused = await ada.connect();
    expect(await refused.next("auth.error")).toMatchObject({ reason: "invalid_token" });
    await olga.ask("POST", "/people/ada/restore");
    expect((await ada.signIn()).status).toBe(200);
    await olga.ask("DELETE", "/people/ada");
    expect((await agent.next("relation.revoked")).payload).toMatchObject({ relation_id });
    expect(await codeOf(ada.signIn())).toEqual(OUT);
    expect(await codeOf(ada.ask("GET", "/h2a/relations"))).toEqual(OUT);
    expect(await codeOf(olga.ask("DELETE", "/people/ada"))).toEqual([404, "NOT_FOUND"]);
  });
});

test("every route asks for a proof: none, a stranger's, a suspended and a removed person's are none", async () => {
  const people = [await InvitedPerson.at(rig, "suspended"), await InvitedPerson.at(rig, "removed")];
  const { token: agentToken } = await rig.addAgent();
  await rig.asPerson("POST", "/people/suspended/suspend");
  await rig.asPerson("DELETE", "/people/removed");
  const tokens = [undefined, "eyJhbGciOiJub25lIn0.e30.", ...people.map(({ token }) => token)];
  const asked = ROUTES.filter(({ auth }) => auth !== "none" && auth !== "pairing");
  expect(asked.length).toBeGreaterThan(20);
  for (const { method, path, auth } of asked) {
    const ofPeople = auth === "member" ? tokens : [...tokens, agentToken];
    for (const token of ofPeople) {
      const sent = rig.rest(method, path, token === undefined ? {} : { token });
      expect([method, path, ...(await codeOf(sent))]).toEqual([method, path, ...OUT]);
    }
  }
  const member = await InvitedPerson.at(rig, "member");
  for (const { method, path } of asked.filter(({ auth }) => auth === "owner")) {
    expect(await codeOf(member.ask(method, path))).toEqual([403, "FORBIDDEN"]);
  }
});
