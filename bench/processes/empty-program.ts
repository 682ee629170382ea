/**
 * A program of the same kind with nothing in it: a page on a free port of this computer, and a line of JSON
 * when it is ready.
 */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const server = createServer((_request, response) => response.end("<!doctype html>"));
server.listen(0, "127.0.0.1", () => {
  const { port } = server.address() as AddressInfo;
  process.stdout.write(`${JSON.stringify({ event: "ready", ui: `http://127.0.0.1:${port}/` })}\n`);
});
process.once("SIGTERM", () => process.exit(0));
