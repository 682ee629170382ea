import { runHost } from "../agent-host/run.ts";

/** Models and their tools over HTTP: `npm run agent-host -- --listen 127.0.0.1:4900 --config FILE`. */
const stopped = Promise.withResolvers<void>();
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => stopped.resolve());

process.exitCode = await runHost(process.argv.slice(2), {
  stdout: (line) => process.stdout.write(`${line}\n`),
  stderr: (line) => process.stderr.write(`${line}\n`),
  environment: process.env,
  stopped: stopped.promise,
});
