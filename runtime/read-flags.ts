import { type ParseArgsConfig, parseArgs } from "node:util";

/**
 * A command's flags. For `--help`, and for flags that it does not take, this prints how the command is called and
 * ends the process, with 0 or 2.
 */
export function readFlags<const T extends ParseArgsConfig>(
  usage: string,
  config: T,
): ReturnType<typeof parseArgs<T>> {
  if (process.argv.slice(2).includes("--help")) {
    console.log(usage);
    process.exit(0);
  }
  try {
    return parseArgs(config);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${usage}`);
    process.exit(2);
  }
}
