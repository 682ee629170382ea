import { runHook } from "../main/channels/hooks/run-hook.ts";

/** An agent's permission hook, from a checkout (docs/hooks.md). */
// Until there is an answer: the exit code that every agent takes as a no.
process.exitCode = 2;
process.exitCode = await runHook(process.argv.slice(2), "npm run --silent hook --");
