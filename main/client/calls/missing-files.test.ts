import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { agent, client, connectForEachTest } from "../testing/each-test.ts";

connectForEachTest();
let folder: string;
beforeEach(() => {
  folder = scratchFolder();
});

const read = (path: string) => agent.call("read_file", { path });

describe("a file that is not there", () => {
  it("is answered at once in a folder that the agent was given", async () => {
    await client.call("permissions.add_root", { agent_id: agent.id, path: folder, access: "read" });
    expect(await read(join(folder, "missing.md"))).toEqual({ refused: "not_found" });
    expect((await client.snapshot()).consents).toEqual([]);
  });

  it("is asked about like any other where the agent was given nothing", async () => {
    const asked = read(join(folder, "missing.md"));
    expect(await client.waitingCard()).toMatchObject({ root_wanted: { suggested_path: folder } });
    await client.answer("deny");
    expect(await asked).toEqual({ refused: "user_refused" });
  });

  it("tells nothing to an agent whose reading is denied anyway", async () => {
    await client.call("permissions.add_root", { agent_id: agent.id, path: folder, access: "read" });
    await client.call("profile.set", { profile: "hands_off" });
    expect(await read(join(folder, "missing.md"))).toEqual({ refused: "user_refused" });
  });
});
