import { readFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { writeContent } from "../../../write-file.ts";
import { sharedNumbers } from "../../shared-numbers.ts";
import { watchSteps } from "./watch-steps.ts";

// A killed process leaves nothing behind for the next one to start with.
flushCompileCache();

/**
 * For tests, as a separate program: writes the content of one file to another in a root, and kills
 * itself with SIGKILL before the given step.
 */
const [, , rootPath = "", path = "", source = "", fatal = ""] = process.argv;
const bytes = readFileSync(source);

watchSteps((step) => {
  if (step === Number(fatal)) process.kill(process.pid, "SIGKILL");
});
writeContent({ rootPath, path, bytes, ifExists: "replace", seen: null }, sharedNumbers());
