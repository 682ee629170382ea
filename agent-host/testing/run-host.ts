import { runHost } from "../run.ts";

/** The command in this process; `ready` resolves with the first line it prints. */
export function run(args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const out: string[] = [];
  const err: string[] = [];
  const stop = Promise.withResolvers<void>();
  const ready = Promise.withResolvers<string>();
  const code = runHost(args, {
    stdout(line) {
      out.push(line);
      ready.resolve(line);
    },
    stderr: (line) => err.push(line),
    environment,
    stopped: stop.promise,
  });
  return { out, err, code, ready: ready.promise, stop: stop.resolve };
}
