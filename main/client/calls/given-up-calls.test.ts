import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../app/contract/json.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { agent, client, connectForEachTest } from "../testing/each-test.ts";
import { eventually, LONG_WAIT } from "../testing/eventually.ts";
import { interceptFetch } from "../testing/intercept-fetch.ts";
import { PATIENT, type TestAgent } from "../testing/test-agent.ts";
import { highManifest } from "../testing/test-manifest.ts";

connectForEachTest();

/** A call that the agent can cancel. */
function cancellable(of: TestAgent, tool = "write_clipboard", args: JsonObject = { text: "x" }) {
  const stop = new AbortController();
  const options = { ...PATIENT, signal: stop.signal };
  const call = of.sdk.callTool(of.credentials.conversationId, tool, args, options);
  const cancel = () => {
    stop.abort();
    return expect(call).rejects.toMatchObject({ code: "aborted" });
  };
  return { cancel };
}

/** How the newest call is logged, once it has ended. */
const logged = (status: string) =>
  eventually(async () => {
    const [row] = await client.log();
    return row?.status === status ? row : undefined;
  });

describe("a call that the agent cancels", () => {
  it("is withdrawn from the person and logged as cancelled", async () => {
    const { cancel } = cancellable(agent);
    await client.waitingCard();
    await cancel();
    await client.cards(0);
    expect(await logged("cancelled")).toMatchObject({ reason: "cancelled" });
  });

  it("does not affect another call of the same agent", async () => {
    const { cancel } = cancellable(agent);
    const kept = agent.write("kept");
    await client.cards(2);
    await cancel();
    await client.answer("allow_once");
    expect(await kept).toHaveProperty("result");
  });

  it("is never sent when it is cancelled before it is sealed", async () => {
    const { conversationId } = agent.credentials;
    const options = { ...PATIENT, signal: AbortSignal.abort() };
    const call = agent.sdk.callTool(conversationId, "write_clipboard", { text: "x" }, options);
    await expect(call).rejects.toMatchObject({ code: "aborted" });
    expect(await agent.notify()).toHaveProperty("result");
    expect((await client.log()).map(({ tool_name }) => tool_name)).toEqual(["send_notification"]);
  });

  it("is never asked about when it was cancelled before that", async () => {
    const { conversationId } = agent.credentials;
    const looked = Promise.withResolvers<void>();
    await client.close();
    // No call is checked before the agent's ledger has been.
    interceptFetch((url) => (url.endsWith("/ledger") ? looked.promise : null));
    await client.launch();
    await client.reconnected();
    const { cancel } = cancellable(agent);
    const read = async (count: number) => {
      await agent.sdk.send(conversationId, { type: "text", text: "after it" });
      await eventually(async () => {
        const views = await client.call("conversations.list", {});
        return views.some(({ unread }) => unread === count) || undefined;
      });
    };
    await read(1);
    await cancel();
    await read(2);
    looked.resolve();
    expect(await logged("cancelled")).toMatchObject({ reason: "cancelled" });
    expect((await client.snapshot()).consents).toEqual([]);
  });

  it("is also withdrawn when the agent disconnects", async () => {
    const call = agent.write("x");
    await client.waitingCard();
    agent.sdk.disconnect();
    expect(await call).toEqual({ refused: "disconnected" });
    await client.cards(0);
    expect(await logged("cancelled")).toMatchObject({ reason: "cancelled" });
  });

  it.skipIf(process.platform === "win32")("is stopped while it runs", async () => {
    const folder = scratchFolder();
    const runner = highManifest({ run_command: "shell:exec" });
    const argv = ["sh", "-c", "echo up > up; sleep 1000"];
    const asking = await client.addAgent(["shell:exec"], "Runner", runner);
    const { cancel } = cancellable(asking, "run_command", { argv, directory: folder });
    await client.answer("allow_once", folder);
    await expect.poll(() => existsSync(join(folder, "up")), LONG_WAIT).toBe(true);
    await cancel();
    expect(await logged("cancelled")).toMatchObject({ reason: "cancelled" });
    expect((await client.snapshot()).running).toEqual([]);
  });
});
