import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import type { Events } from "../../../app/bridge/events.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { agent, client, connectForEachTest } from "../testing/each-test.ts";

connectForEachTest();
let folder: string;
beforeEach(() => {
  folder = scratchFolder();
  writeFileSync(join(folder, "notes.md"), "notes");
});

const read = () => agent.call("read_file", { path: join(folder, "notes.md") });
const quietPeriods = async () => (await client.card(agent)).quiet_periods;

it("a folder that is revoked and given again has no quiet period", async () => {
  const outcome = await client.answered(read(), "allow_in_conversation", folder);
  expect(outcome).toMatchObject({ result: { content: "notes" } });
  expect(await read()).toMatchObject({ result: { content: "notes" } });
  expect(await quietPeriods()).toHaveLength(1);

  const { agent_id, roots } = await client.card(agent);
  await client.call("permissions.remove_root", { agent_id, root_id: roots[0]?.root_id ?? "" });
  expect(await quietPeriods()).toEqual([]);

  await client.call("permissions.add_root", { agent_id, path: folder, access: "read" });
  expect(await client.answered(read(), "deny")).toEqual({ refused: "user_refused" });
});

it("one that a call has extended is shown with its new end", async () => {
  await client.answered(read(), "allow_in_conversation", folder);
  const [begun] = await quietPeriods();
  const ends: (number | undefined)[] = [];
  client.program.subscribe((name, event) => {
    if (name !== "agents.changed") return;
    const cards = event as Events["agents.changed"];
    ends.push(cards.find(({ agent_id }) => agent_id === agent.id)?.quiet_periods[0]?.ends_at);
  }, new AbortController().signal);
  client.time.jump(60_000);
  await read();
  client.time.jump(1_000);
  await expect
    .poll(() => (ends.at(-1) ?? 0) - (begun?.ends_at ?? 0))
    .toBeGreaterThanOrEqual(60_000);
});
