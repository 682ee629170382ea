import { Writable } from "node:stream";

/**
 * Where the server writes its messages. Its library listens to the output once more for each message
 * that waits for a slow reader; here they wait in one line, and it never has to.
 */
export function queuedOutput(output: Writable): Writable {
  const queue = new Writable({
    highWaterMark: Number.MAX_SAFE_INTEGER,
    write: (chunk, encoding, done) => void output.write(chunk, encoding, done),
  });
  output.on("error", (error) => queue.destroy(error));
  return queue;
}
