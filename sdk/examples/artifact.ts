import { artifact, HasheeAgent, loadCredentials } from "@consentry/agent-sdk";

const agent = await HasheeAgent.init(await loadCredentials("Reader"));

const lunch = artifact({
  artifact_id: `lunch-${Date.now()}`,
  title: "Lunch on Friday",
  blocks: [
    { tag: "status", key: "state", text: "Order by noon" },
    {
      tag: "select",
      key: "dish",
      label: "Dish",
      required: true,
      options: [
        { value: "soup", label: "Soup" },
        { value: "pasta", label: "Pasta" },
      ],
    },
    { tag: "checkbox", key: "dessert", label: "With dessert" },
    { tag: "action", key: "order", label: "Order", variant: "primary" },
    { tag: "action", key: "skip", label: "Not this time", sends_values: false },
  ],
});
const answered = new Promise<string>((resolve) => {
  agent.onArtifactResponse(({ ref_artifact, ref_action, values }) => {
    if (ref_artifact !== lunch.artifact.artifact_id) return;
    resolve(ref_action === "order" ? String(values.dish) : "nothing");
  });
});
await agent.sendArtifact(lunch);
const dish = await answered;
await agent.updateArtifact({
  ref_artifact: lunch.artifact.artifact_id,
  updates: { state: { text: `Ordered: ${dish}`, variant: "success" } },
});
console.log(`ordered: ${dish}`);
agent.disconnect();
