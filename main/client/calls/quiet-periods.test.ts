import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
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
