// Plain JavaScript, because it also runs inside Electron.
import { createServer } from "node:http";
import { text } from "node:stream/consumers";

const LONGEST_TIMER_MS = 2 ** 31 - 1;

/**
 * Real time that a test can make jump ahead: timers fire when real time or a jump reaches them.
 * It replaces waiting; nothing in the program knows of it.
 */
export function jumpingTime() {
  let jumped = 0;
  const timers = new Set();
  const now = () => performance.now() + jumped;

  const fire = (timer) => {
    if (timers.delete(timer)) timer.run();
  };
  const arm = (timer) => {
    clearTimeout(timer.handle);
    const left = Math.min(Math.max(0, timer.due - now()), LONGEST_TIMER_MS);
    timer.handle = setTimeout(() => fire(timer), left);
  };

  return {
    source: {
      wall: { now: () => Date.now() + jumped },
      monotonic: { now },
      scheduler: {
        after(ms, run) {
          const timer = { due: now() + ms, run, handle: undefined };
          timers.add(timer);
          arm(timer);
          return () => {
            clearTimeout(timer.handle);
            timers.delete(timer);
          };
        },
      },
    },
    jump(ms) {
      jumped += ms;
      for (const timer of [...timers].sort((a, b) => a.due - b.due)) arm(timer);
    },
  };
}

/** Lets the test that started this process make its time jump: `POST` with milliseconds. */
export async function serveJumps(jump) {
  const server = createServer(async (request, response) => {
    jump(Number(await text(request)));
    response.end("{}");
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  return `http://127.0.0.1:${server.address().port}/`;
}
