import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A process that says `{ answer }`, first of all once it is ready, then to whatever it is told. */
export interface ToldProcess<First> {
  readonly first: First;
  tell<Answer>(order: object): Promise<Answer>;
  /** What it says next by itself. */
  next<Answer>(): Promise<Answer>;
  close(): Promise<void>;
}

/** @param entry relative to `bench/processes/` */
export async function startTold<First>(
  entry: string,
  args: readonly string[],
): Promise<ToldProcess<First>> {
  const path = fileURLToPath(new URL(`../processes/${entry}`, import.meta.url));
  const child = fork(path, args, {
    execArgv: ["--expose-gc"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const ended = once(child, "exit");
  async function next<Answer>(): Promise<Answer> {
    const [said] = await Promise.race([
      once(child, "message"),
      ended.then(([code]) => {
        throw new Error(`${entry} ended with ${code}`);
      }),
    ]);
    return said.answer;
  }
  return {
    first: await next<First>(),
    next,
    tell<Answer>(order: object) {
      const answered = next<Answer>();
      child.send(order);
      return answered;
    },
    async close() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
