import { fileURLToPath } from "node:url";
import { utilityProcess } from "electron";
import type { StartProgram } from "../client/agents/sample-agent.ts";

/** Electron's executable is not Node; a utility process is, without a window. */
export const startUtilityProgram: StartProgram = (script, args, onExit) => {
  const child = utilityProcess.fork(fileURLToPath(script), [...args], { stdio: "ignore" });
  child.once("exit", (code) => onExit(code));
  return () => child.kill();
};
