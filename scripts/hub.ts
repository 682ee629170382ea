import { runHub } from "../hub/alone/run-hub.ts";
import { END_SIGNALS, ignoreClosedOutputs } from "../main/client/launch/run-until-stopped.ts";
import { BoundedValidator } from "../main/schemas/bounded-validator.ts";
import { whenNpmEnds } from "./npm-end.ts";

/** The hub alone: `npm run hub -- --listen 127.0.0.1:4800 --data-dir FOLDER`. */
const stopped = Promise.withResolvers<void>();
for (const signal of END_SIGNALS) process.on(signal, () => stopped.resolve());
ignoreClosedOutputs();
whenNpmEnds("hub", () => stopped.resolve());

const workerUrl = new URL("../main/schemas/schema-worker.ts", import.meta.url);
const validator = new BoundedValidator({ workerUrl });

process.exitCode = await runHub(process.argv.slice(2), {
  checkSchema: (schema) => validator.check("hub", schema),
  stdout: (line) => process.stdout.write(`${line}\n`),
  stderr: (line) => process.stderr.write(`${line}\n`),
  stopped: stopped.promise,
});
await validator.close();
