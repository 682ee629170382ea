import { beforeEach, describe, expect, test } from "vitest";
import { openStorage } from "../storage/open-storage.ts";
import { type AddedAgent, HubRig } from "../testing/hub-rig.ts";
import { InvitedPerson } from "../testing/invited-person.ts";

const NOBODY = "0123456789abcdefghijkl";

/** What the hub has asked its storage, in order. */
const asked: string[] = [];
const rig = new HubRig();
let ada: InvitedPerson;
let agent: AddedAgent;
let ben: InvitedPerson;
beforeEach(async () => {
  await rig.start({
    open: async (options) =>
      new Proxy(await openStorage(options), {
        get(storage, name) {
          const member: unknown = Reflect.get(storage, name);
          if (typeof member !== "function") return member;
          return (...given: readonly unknown[]): unknown => {
            asked.push(String(name));
            return member.apply(storage, given);
          };
        },
      }),
  });
  ada = await InvitedPerson.at(rig, "ada");
  agent = await ada.addAgent();
  ben = await InvitedPerson.at(rig, "ben");
  return () => rig.end();
});

/** Answer and cost. The cost is the work for the database, which is what takes time. */
async function seen(look: () => Promise<{ readonly status: number; readonly text: string }>) {
  asked.length = 0;
  const { status, text } = await look();
  return { status, text, asked: [...asked] };
}

describe("a look-up answers alike, at the same cost, for what is another's and for nothing:", () => {
  const invitation = `hsi_${"0".repeat(40)}`;
  test.each([
    ["a sign-in by another key", {}],
    ["a sign-in with an invitation that is none", { invitation }],
  ])("%s", async (_, over) => {
    const tried = (id: string) => seen(() => new InvitedPerson(rig.url, id).signIn(over));
    const known = await tried("ada");
    expect(known.asked).toHaveLength(1);
    expect(await tried(NOBODY)).toEqual(known);
  });

  test.each([
    ["GET", (id: string) => `/keys/${id}`, () => ada.id],
    ["GET", (id: string) => `/keys/${id}`, () => agent.agentId],
    ["POST", (id: string) => `/keys/${id}/bundle`, () => ada.id],
    ["GET", (id: string) => `/conversations/${id}`, () => agent.relation.conversation_id],
    ["POST", (id: string) => `/h2a/relations/${id}/suspend`, () => agent.relation.relation_id],
    ["DELETE", (id: string) => `/h2a/relations/${id}`, () => agent.relation.relation_id],
    ["GET", (id: string) => `/h2a/relations/${id}/ledger`, () => agent.relation.relation_id],
  ])("%s %s", async (method, pathOf, known) => {
    const look = (id: string) => seen(() => ben.ask(method, pathOf(id)));
    const theirs = await look(known());
    expect(theirs.status).toBe(404);
    expect(await look(NOBODY)).toEqual(theirs);
  });
});
