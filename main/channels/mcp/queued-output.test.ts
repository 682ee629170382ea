import { PassThrough, Writable } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
import { afterEach, beforeEach, expect, it } from "vitest";
import { queuedOutput } from "./queued-output.ts";

const AT_ONCE = 32;
const warnings: Error[] = [];
const note = (warning: Error) => void warnings.push(warning);
beforeEach(() => {
  warnings.length = 0;
  process.on("warning", note);
});
afterEach(() => void process.off("warning", note));

/** Takes one message at a time, whenever the test says so. */
function slowReader() {
  const lines: string[] = [];
  let next = () => {};
  const output = new Writable({
    highWaterMark: 1,
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      next = done;
    },
  });
  return { output, lines, next: () => next() };
}

it("many answers at once, to a client that reads slowly, all arrive in order, and nothing warns of them", async () => {
  const reader = slowReader();
  const transport = new StdioServerTransport(new PassThrough(), queuedOutput(reader.output));
  const ids = Array.from({ length: AT_ONCE }, (_, id) => id);
  const sent = Promise.all(ids.map((id) => transport.send({ jsonrpc: "2.0", id, result: {} })));
  await turn();
  expect(warnings).toEqual([]);
  while (reader.lines.length < AT_ONCE) {
    reader.next();
    await turn();
  }
  await sent;
  expect(reader.lines.map((line) => JSON.parse(line).id)).toEqual(ids);
});

it("an output that breaks ends the connection", async () => {
  const reader = slowReader();
  const transport = new StdioServerTransport(new PassThrough(), queuedOutput(reader.output));
  const closed = new Promise<void>((resolve) => {
    transport.onclose = resolve;
  });
  await transport.start();
  await transport.send({ jsonrpc: "2.0", id: 1, result: {} });
  reader.output.destroy(new Error("EPIPE"));
  await closed;
  expect(reader.lines).toHaveLength(1);
});
