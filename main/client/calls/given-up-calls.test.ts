import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Manifest } from "../../../app/contract/manifest.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { eventually, LONG_WAIT } from "../testing/eventually.ts";
import { LaunchedClient } from "../testing/launched-client.ts";
import { PATIENT } from "../testing/test-agent.ts";

const RUNNER: Manifest = {
  schema_version: "1.0",
  agent_version: "1.0.0",
  tools: [
    {
      name: "run_command",
      description_i18n_key: "test.tools.run_command",
      input_schema: { type: "object" },
      permission_scope: "shell:exec",
    },
  ],
  permission_scopes: [
    {
      id: "shell:exec",
      label_i18n_key: "test.scopes.shell",
      label_fallback: "Commands",
      sensitivity: "high",
    },
  ],
};

let client: LaunchedClient;
beforeEach(async () => {
  client = await LaunchedClient.start();
});
afterEach(() => vi.restoreAllMocks());

/** How the newest call is logged, once it has ended. */
const logged = (status: string) =>
  eventually(async () => {
    const [row] = await client.log();
    return row?.status === status ? row : undefined;
  });

describe("a call that the agent cancels", () => {
  it("is withdrawn from the person and logged as cancelled", async () => {
    const agent = await client.addAgent();
    const abort = new AbortController();
    const call = agent.sdk.callTool(
      agent.credentials.conversationId,
      "write_clipboard",
      { text: "x" },
      { ...PATIENT, signal: abort.signal },
    );
    await client.waitingCard();
    abort.abort();
    await expect(call).rejects.toMatchObject({ code: "aborted" });
    await client.cards(0);
    expect(await logged("error")).toMatchObject({ reason: "cancelled" });
  });

  it("does not affect another call of the same agent", async () => {
    const agent = await client.addAgent();
    const abort = new AbortController();
    const { conversationId } = agent.credentials;
    const options = { ...PATIENT, signal: abort.signal };
    const given = agent.sdk.callTool(conversationId, "write_clipboard", { text: "x" }, options);
    const kept = agent.write("kept");
    await client.cards(2);
    abort.abort();
    await expect(given).rejects.toMatchObject({ code: "aborted" });
    await client.answer("allow_once");
    expect(await kept).toHaveProperty("result");
  });

  it("is never sent when it is cancelled before it is sealed", async () => {
    const agent = await client.addAgent();
    const { conversationId } = agent.credentials;
    const options = { ...PATIENT, signal: AbortSignal.abort() };
    const call = agent.sdk.callTool(conversationId, "write_clipboard", { text: "x" }, options);
    await expect(call).rejects.toMatchObject({ code: "aborted" });
    expect(await agent.notify()).toHaveProperty("result");
    expect((await client.log()).map(({ tool_name }) => tool_name)).toEqual(["send_notification"]);
  });

  it("is never asked about when it was cancelled before that", async () => {
    const agent = await client.addAgent();
    const { conversationId } = agent.credentials;
    const looked = Promise.withResolvers<void>();
    await client.close();
    const { fetch } = globalThis;
    vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
      // No call is checked before the agent's ledger has been.
      if (String(input).endsWith("/ledger")) await looked.promise;
      return fetch(input, init);
    });
    await client.launch();
    await client.reconnected();
    const abort = new AbortController();
    const options = { ...PATIENT, signal: abort.signal };
    const call = agent.sdk.callTool(conversationId, "write_clipboard", { text: "x" }, options);
    const read = async (count: number) => {
      await agent.sdk.send(conversationId, { type: "text", text: "after it" });
      await eventually(async () => {
        const views = await client.call("conversations.list", {});
        return views.some(({ unread }) => unread === count) ? true : undefined;
      });
    };
    await read(1);
    abort.abort();
    await expect(call).rejects.toMatchObject({ code: "aborted" });
    await read(2);
    looked.resolve();
    expect(await logged("error")).toMatchObject({ reason: "cancelled" });
    expect((await client.snapshot()).consents).toEqual([]);
  });

  it("is also withdrawn when the agent disconnects", async () => {
    const agent = await client.addAgent();
    const call = agent.write("x");
    await client.waitingCard();
    agent.sdk.disconnect();
    expect(await call).toEqual({ refused: "disconnected" });
    await client.cards(0);
    expect(await logged("error")).toMatchObject({ reason: "cancelled" });
  });

  it.skipIf(process.platform === "win32")("is stopped while it runs", async () => {
    const folder = scratchFolder();
    const pairing = client.pair("Runner", RUNNER);
    await client.acceptPairing(await pairing.code, ["shell:exec"]);
    const agent = await pairing.agent;
    const abort = new AbortController();
    const call = agent.sdk.callTool(
      agent.credentials.conversationId,
      "run_command",
      { argv: ["sh", "-c", "echo up > up; sleep 1000"], directory: folder },
      { ...PATIENT, signal: abort.signal },
    );
    await client.answer("allow_once", folder);
    await expect.poll(() => existsSync(join(folder, "up")), LONG_WAIT).toBe(true);
    abort.abort();
    await expect(call).rejects.toMatchObject({ code: "aborted" });
    expect(await logged("error")).toMatchObject({ reason: "cancelled" });
    expect((await client.snapshot()).running).toEqual([]);
  });
});
