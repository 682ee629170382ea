import { createServer } from "node:net";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { LineSocket } from "../local/line-socket.ts";
import { isClientFrame, type LocalFailure, type StandingWord } from "../local/local-frames.ts";
import { LocalPort } from "./local-port.ts";

/** A program that has let the client in, or has not, and fails each of its requests, or ends. */
async function portOf(
  why: LocalFailure | "ends",
  standing: StandingWord = "paired",
): Promise<LocalPort> {
  const address = join(scratchFolder(), "local.sock");
  const server = createServer((socket) => {
    const line = new LineSocket(socket, {
      line: (frame) => {
        if (!isClientFrame(frame)) return;
        if (frame.type === "hello") line.send({ type: "standing", standing, code: null });
        else if (why === "ends") line.destroy();
        else if (frame.type === "request") line.send({ type: "failed", id: frame.id, why });
      },
      closed: () => {},
    });
  });
  await new Promise<void>((resolve) => server.listen(address, resolve));
  const port = new LocalPort({
    address,
    session: "s",
    name: () => "Editor",
    token: () => "t".repeat(43),
    start: async () => {},
  });
  onTestFinished(async () => {
    await port.close();
    server.close();
  });
  return port;
}

it.each([
  ["unknown_op", "other_version"],
  ["invalid_arguments", "other_version"],
  ["not_paired", "not_asked"],
  ["internal_error", "lost"],
] as const)("a request that fails as %s is answered %s", async (why, kind) => {
  await expect((await portOf(why)).offer()).rejects.toMatchObject({ absence: { kind } });
});

it("a program that ends when it is asked for access again is lost", async () => {
  const port = await portOf("ends", "not_asked");
  const waiting = { signal: new AbortController().signal, progress: null };
  await expect(port.ask([], waiting)).rejects.toMatchObject({ absence: { kind: "lost" } });
});
