import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { LaunchedClient } from "../testing/launched-client.ts";

describe("a start on a data folder", () => {
  let client: LaunchedClient;
  let keyFile: string;

  beforeEach(async () => {
    client = await LaunchedClient.start();
    keyFile = join(client.dataDir, "host.key");
  });

  it("leaves its key as it is", async () => {
    const made = readFileSync(keyFile);
    await client.restart();
    expect(readFileSync(keyFile)).toEqual(made);
  });

  it("is refused without its key or with another's, and goes on with the right one", async () => {
    const kept = `${keyFile}.kept`;
    copyFileSync(keyFile, kept);
    const other = await LaunchedClient.start();
    const foreign = readFileSync(join(other.dataDir, "host.key"));
    const code = (word: string) => expect.objectContaining({ code: word });
    const without = client.restart(() => rmSync(keyFile));
    await expect(without).rejects.toEqual(code("host_key_missing"));
    writeFileSync(keyFile, foreign);
    await expect(client.launch()).rejects.toEqual(code("host_key_wrong"));
    copyFileSync(kept, keyFile);
    await client.launch();
    expect((await client.snapshot()).agents).toEqual([]);
  });
});
