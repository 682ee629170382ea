import { Server } from "node:net";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { ManualTime } from "../../../app/contract/testing/manual-time.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { startEmbeddedHub } from "./start-embedded-hub.ts";

const PORT_OF_LAST_START = 80;
let values: Map<string, string>;
beforeEach(() => {
  values = new Map([["hub_port", String(PORT_OF_LAST_START)]]);
});

/** The hub's port, when the system refuses the last one with this code. */
async function portWhenRefused(code: string, port: number | null): Promise<number> {
  const { listen } = Server.prototype;
  const spy = vi.spyOn(Server.prototype, "listen");
  onTestFinished(() => spy.mockRestore());
  spy.mockImplementation(function (this: Server, ...args) {
    const [options] = args as unknown as [{ readonly port: number }];
    if (options.port !== PORT_OF_LAST_START) return listen.apply(this, args);
    process.nextTick(() => this.emit("error", Object.assign(new Error(code), { code })));
    return this;
  });
  const time = new ManualTime();
  const hub = await startEmbeddedHub({
    dataDir: scratchFolder(),
    port,
    time: { wall: time, monotonic: time, scheduler: time },
    settings: {
      value: (name) => values.get(name),
      putValue: async (name, value) => void values.set(name, value),
    },
    validator: { check: async () => [] },
    recovered: () => {},
    limits: {},
  });
  onTestFinished(() => hub.close());
  return Number(new URL(hub.url).port);
}

it.each(["EADDRINUSE", "EACCES"])(
  "the hub starts at another port, and keeps it, when the last one gives %s",
  async (code) => {
    const port = await portWhenRefused(code, null);
    expect(port).not.toBe(PORT_OF_LAST_START);
    expect(values.get("hub_port")).toBe(String(port));
  },
);

it.each([
  ["EADDRINUSE", "port_in_use"],
  ["EACCES", "listen_failed"],
])("a port that was asked for is not replaced when it gives %s", async (refused, code) => {
  await expect(portWhenRefused(refused, PORT_OF_LAST_START)).rejects.toMatchObject({ code });
});
