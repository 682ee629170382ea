import { expect, it } from "vitest";
import { ownMemory } from "../../main/client/launch/maintenance.ts";
import { scriptedModel } from "./scripted-model.ts";

it("keeps nothing of what it has answered: it plays the model of a program that goes on for weeks", async () => {
  let asked: WeakRef<object> | undefined;
  await using model = await scriptedModel((request) => {
    asked = new WeakRef(request);
    return { text: `You said ${request.user}` };
  });
  const messages = [{ role: "user", content: "Hello" }];
  const response = await fetch(`${model.url}/v1/chat/completions`, {
    method: "POST",
    body: JSON.stringify({ messages }),
  });
  expect(await response.text()).toContain("You said Hello");
  const { collect } = ownMemory([]);
  await expect
    .poll(() => {
      collect();
      return asked?.deref();
    })
    .toBeUndefined();
});
