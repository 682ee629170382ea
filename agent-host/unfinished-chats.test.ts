import { describe, expect, it, onTestFinished, vi } from "vitest";
import { HEARTBEAT_MS } from "./http/answer-chat.ts";
import type { ScriptedTurn } from "./scripted-model/script.ts";
import { heldTimeLimit } from "./testing/held-time-limit.ts";
import { SAMPLE } from "./testing/sample-chat.ts";
import { startHost, TOOL, TOOLS } from "./testing/start-host.ts";
import { type HostTool, hostToolError } from "./tools/host-tool.ts";

describe("a run that does not come to its end", () => {
  const endless = (): ScriptedTurn => ({ calls: [{ name: "echoes", input: { text: "a" } }] });
  const asking = { ...SAMPLE, allowedTools: ["echoes"] };

  it("stops after 30 steps, the model's and the tools' together, and says so", async () => {
    const host = await startHost(endless);
    const { status, body } = await host.chat(asking);
    expect(status).toBe(200);
    expect(body.data.unfinished).toEqual({ reason: "step_limit" });
    expect(host.model.asked).toHaveLength(15);
    expect(body.data.messages).toHaveLength(15);
  });

  it("runs no more of one turn's calls than there are steps", async () => {
    const calls = Array.from({ length: 40 }, () => ({ name: "echoes", input: { text: "a" } }));
    const host = await startHost(() => ({ calls }));
    const { body } = await host.chat(asking);
    const outputs = body.data.messages[0].parts.map((part: { output: object }) => part.output);
    expect(outputs.filter((output: object) => "error" in output)).toHaveLength(11);
    expect(outputs[39]).toMatchObject({ error: { code: "step_limit" } });
  });

  it("returns what was done within two minutes, and says that its time was over", async () => {
    const endTwoMinutes = heldTimeLimit();
    const host = await startHost(({ results }) =>
      results.length > 0 ? "silence" : { text: "First", ...endless() },
    );
    const chat = host.chat(asking);
    await expect.poll(() => host.model.asked.length).toBe(2);
    endTwoMinutes();
    const { status, body } = await chat;
    expect(status).toBe(200);
    expect(body.data.unfinished).toEqual({ reason: "timeout" });
    expect(body.data.messages[0].parts[0]).toMatchObject({ type: "text", text: "First" });
  });

  it.each([false, true])(
    "shows a call that never ended by then without an output",
    async (stream) => {
      const endTwoMinutes = heldTimeLimit();
      const calls = ["echoes", "waits"].map((name) => ({ name, input: {} }));
      const waits: HostTool = {
        ...TOOL,
        name: "waits",
        execute(_, { signal }) {
          // The other tool is done by then.
          setImmediate(endTwoMinutes);
          return new Promise((_resolve, reject) => {
            signal.addEventListener("abort", () =>
              reject(hostToolError("aborted", { message: "Over." })),
            );
          });
        },
      };
      const tools = new Map([...TOOLS, waits].map((tool) => [tool.name, tool]));
      const host = await startHost(() => ({ calls }), { tools });
      const request = { ...asking, allowedTools: ["echoes", "waits"] };
      if (stream) {
        const events = await host.stream({ ...request, stream });
        const ended = events.filter(({ data }) => data.type === "tool.complete");
        expect(ended.map(({ data }) => data.name)).toEqual(["echoes"]);
        expect(events.at(-1)?.data).toMatchObject({ unfinished: { reason: "timeout" } });
      } else {
        const { body } = await host.chat(request);
        expect(body.data.unfinished).toEqual({ reason: "timeout" });
        expect(body.data.messages[0].parts).toMatchObject([
          { toolName: "echoes", state: "output-available", output: {} },
          { toolName: "waits", state: "input-available" },
        ]);
        expect(body.data.messages[0].parts[1]).not.toHaveProperty("output");
      }
    },
  );

  it("keeps what was done when the model fails later", async () => {
    const host = await startHost(({ results }) =>
      results.length > 0 ? { status: 400 } : endless(),
    );
    const { status, body } = await host.chat(asking);
    expect(status).toBe(200);
    expect(body.data.unfinished).toEqual({ reason: "model_error" });
    expect(body.data.tools.used).toEqual(["echoes"]);
  });

  it("tries a model again that is busy", async () => {
    let asked = 0;
    const host = await startHost(() => {
      asked += 1;
      return asked < 3 ? { status: asked === 1 ? 429 : 503 } : { text: "Done." };
    });
    const { status, body } = await host.chat(asking);
    expect([status, asked]).toEqual([200, 3]);
    expect(body.data.unfinished).toBeUndefined();
  }, 20_000);

  it("is ended when the client goes away", async () => {
    const host = await startHost(() => "silence");
    const abort = new AbortController();
    const gone = host.send(asking, abort.signal);
    await expect.poll(() => host.model.asked.length).toBe(1);
    abort.abort();
    await expect(gone).rejects.toThrow();
    await expect.poll(() => host.model.open).toBe(0);
  });

  it("that is streamed shows that it lives while the model says nothing", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    const host = await startHost(() => "silence");
    const abort = new AbortController();
    const sent = host.send({ ...asking, stream: true }, abort.signal);
    await expect.poll(() => host.model.asked.length).toBe(1);
    vi.advanceTimersByTime(HEARTBEAT_MS);
    const { body } = await sent;
    const read = await body?.getReader().read();
    expect(new TextDecoder().decode(read?.value)).toBe(": keep-alive\n\n");
    abort.abort();
  });
});
