import { readFileSync } from "node:fs";
import { stopFlag } from "../../stop-flag.ts";
import { writeContent } from "../write-content.ts";
import { watchSteps } from "./watch-steps.ts";

/**
 * For tests, as a program of its own: writes the content of one file to another in a root, and
 * dies by SIGKILL ahead of the step whose number it is given.
 */
const [, , rootPath = "", path = "", source = "", fatal = ""] = process.argv;
const bytes = readFileSync(source);

watchSteps((step) => {
  if (step === Number(fatal)) process.kill(process.pid, "SIGKILL");
});
writeContent({ kind: "write", rootPath, path, bytes, ifExists: "replace", seen: null }, stopFlag());
