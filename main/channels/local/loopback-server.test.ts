import { IncomingMessage, ServerResponse } from "node:http";
import { Socket } from "node:net";
import { expect, it, vi } from "vitest";
import { onceClosed } from "./loopback-server.ts";

const response = () => new ServerResponse(new IncomingMessage(new Socket()));

it("what is to happen when a response is closed happens once", () => {
  const closed = response();
  const run = vi.fn();
  onceClosed(closed, run);
  expect(run).not.toHaveBeenCalled();
  closed.emit("close");
  closed.emit("close");
  expect(run).toHaveBeenCalledTimes(1);
});

it("it happens at once when the response was closed before it was served", () => {
  const closed = response();
  closed.destroy();
  const run = vi.fn();
  onceClosed(closed, run);
  expect(run).toHaveBeenCalledTimes(1);
});
