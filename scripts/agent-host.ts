import { runHost } from "../agent-host/run.ts";
import { END_SIGNALS, ignoreClosedOutputs } from "../main/client/launch/run-until-stopped.ts";

/** Models and their tools over HTTP: `npm run agent-host -- --listen 127.0.0.1:4900 --config FILE`. */
const stopped = Promise.withResolvers<void>();
for (const signal of END_SIGNALS) process.on(signal, () => stopped.resolve());
ignoreClosedOutputs();

process.exitCode = await runHost(process.argv.slice(2), {
  stdout: (line) => process.stdout.write(`${line}\n`),
  stderr: (line) => process.stderr.write(`${line}\n`),
  environment: process.env,
  stopped: stopped.promise,
});
