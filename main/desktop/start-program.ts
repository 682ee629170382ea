import { fileURLToPath } from "node:url";
import { utilityProcess } from "electron";
import type { StartProgram } from "../client/agents/shipped-program.ts";

/** Electron's executable is not Node; a utility process is, without a window. */
export const startUtilityProgram: StartProgram = (script, args, { exited, said }) => {
  const child = utilityProcess.fork(fileURLToPath(script), [...args], { stdio: "ignore" });
  child.once("exit", exited);
  child.on("message", said);
  return { tell: (message) => child.postMessage(message), end: () => void child.kill() };
};
