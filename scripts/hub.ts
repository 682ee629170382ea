import { runHub } from "../hub/alone/run-hub.ts";
import { PEOPLE_COMMANDS, runPeople } from "../main/client/launch/hub-people.ts";
import { runOwnerToken } from "../main/client/launch/owner-token.ts";
import { END_SIGNALS, ignoreClosedOutputs } from "../main/client/launch/run-until-stopped.ts";
import { BoundedValidator } from "../main/schemas/bounded-validator.ts";
import { whenNpmEnds } from "./npm-end.ts";

const [command, ...rest] = process.argv.slice(2);
const outputs = {
  stdout: (line: string) => void process.stdout.write(`${line}\n`),
  stderr: (line: string) => void process.stderr.write(`${line}\n`),
};
process.exitCode = await run();

function run(): Promise<number> {
  if (command === "token") return runOwnerToken(rest, outputs);
  const isAboutPeople = PEOPLE_COMMANDS.some((each) => each === command);
  return isAboutPeople ? runPeople(process.argv.slice(2), outputs) : serve(process.argv.slice(2));
}

/** The hub alone: `npm run hub -- --listen 127.0.0.1:4800 --data-dir FOLDER`. */
async function serve(argv: readonly string[]): Promise<number> {
  const stopped = Promise.withResolvers<void>();
  for (const signal of END_SIGNALS) process.on(signal, () => stopped.resolve());
  ignoreClosedOutputs();
  whenNpmEnds("hub", () => stopped.resolve());
  const workerUrl = new URL("../main/schemas/schema-worker.ts", import.meta.url);
  const validator = new BoundedValidator({ workerUrl });
  const code = await runHub(argv, {
    checkSchema: (schema) => validator.check("hub", schema),
    ...outputs,
    env: process.env,
    stopped: stopped.promise,
  });
  await validator.close();
  return code;
}
