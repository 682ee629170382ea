import { expect, it } from "vitest";
import { LIMITS } from "../../../app/contract/limits.ts";
import { agent, client, connectForEachTest } from "../testing/each-test.ts";

connectForEachTest();

it("a request that a changed profile asks again is one notification", async () => {
  const asked = agent.write("text");
  await client.waitingCard();
  for (let changes = 0; changes < LIMITS.notificationsPerMinute; changes += 1) {
    for (const profile of ["ask_everything", "everyday"] as const) {
      await client.call("profile.set", { profile });
      await client.waitingCard();
    }
  }
  expect(await client.waitingCard()).toMatchObject({ folded: 0 });
  await client.answer("allow_once");
  await asked;
});
