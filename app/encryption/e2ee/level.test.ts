import { expect, it } from "vitest";
import { nodePrimitives as crypto } from "../../../runtime/crypto/node-primitives.ts";
import { CONVERSATION_ID, correspondents, testEnd } from "../testing/correspondents.ts";

const OTHER = { ratchet: "sealed", sealed: "ratchet" } as const;

it.each(["ratchet", "sealed"] as const)(
  "nobody can say that an agent whose card says %s is written to otherwise",
  async (level) => {
    const { world, agent } = await correspondents(crypto, level);
    const person = await testEnd(world, "person-2", "person");
    const otherwise = { level: OTHER[level], conversationId: CONVERSATION_ID };
    const met = person.mail.introduce(agent.id, agent.mail.card, otherwise);
    await expect(met).rejects.toMatchObject({ code: "downgraded" });
    expect(person.mail.peer(agent.id)).toBeUndefined();
    await person.mail.introduce(agent.id, agent.mail.card, { ...otherwise, level });
    expect(person.mail.peer(agent.id)).toMatchObject({ introduction: { level } });
  },
);

it("an agent that is written to otherwise has another key, which the person has to accept", async () => {
  const { world, person, agent } = await correspondents(crypto, "ratchet");
  const called = await testEnd(world, agent.id, "agent", "sealed");
  await person.mail.introduce(agent.id, called.mail.card, null);
  const introduction = { level: "ratchet", conversationId: CONVERSATION_ID };
  const { changed_to } = person.mail.peer(agent.id) ?? {};
  expect(person.mail.peer(agent.id)).toMatchObject({ introduction });
  expect(changed_to).toEqual(expect.any(String));
  await person.mail.acceptKey(agent.id, changed_to ?? "");
  expect(person.mail.peer(agent.id)).toMatchObject({
    changed_to: null,
    introduction: { ...introduction, level: "sealed" },
  });
});
