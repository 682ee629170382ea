import { readFileSync } from "node:fs";
import { writeContent } from "../../../write-file.ts";
import { stopFlag } from "../../stop-flag.ts";
import { watchSteps } from "./watch-steps.ts";

/**
 * For tests, as a separate program: writes the content of one file to another in a root, and kills
 * itself with SIGKILL before the given step.
 */
const [, , rootPath = "", path = "", source = "", fatal = ""] = process.argv;
const bytes = readFileSync(source);

watchSteps((step) => {
  if (step === Number(fatal)) process.kill(process.pid, "SIGKILL");
});
writeContent({ kind: "write", rootPath, path, bytes, ifExists: "replace", seen: null }, stopFlag());
