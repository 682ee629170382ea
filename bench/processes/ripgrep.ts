// ripgrep, one process per search: `<lines expected> <arguments>`.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { serveTurns } from "./serve-turns.ts";

const [found, ...args] = process.argv.slice(2);
const run = promisify(execFile);

serveTurns(async () => {
  const { stdout } = await run("rg", args, { maxBuffer: 16_777_216 });
  const lines = stdout.split("\n").length - 1;
  if (lines !== Number(found)) throw new Error(`ripgrep found ${lines}`);
});
