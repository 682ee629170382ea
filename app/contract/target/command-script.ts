/** Programs that run a text they are given, by their name without path, version and `.exe`. */
const SHELLS = ["sh", "bash", "dash", "zsh", "ksh", "mksh", "ash", "fish"];
const TEXT_FLAGS: ReadonlyMap<string, RegExp> = new Map([
  ...SHELLS.map((name) => [name, /^-[a-z]*c$/] as const),
  ["busybox", /^-c$/],
  ["python", /^-[a-zA-Z]*c$/],
  ["node", /^(?:-e|-p|-pe|--eval|--print)$/],
  ["deno", /^eval$/],
  ["bun", /^(?:-e|--eval)$/],
  ["perl", /^-[a-zA-Z]*[eE]$/],
  ["ruby", /^-[a-z]*e$/],
  ["php", /^-r$/],
  ["osascript", /^-e$/],
  ["powershell", /^-(?:c|command)$/i],
  ["pwsh", /^-(?:c|command)$/i],
  ["cmd", /^\/[ck]$/i],
]);

/** A program's name as scripts and people say it. */
export const programName = (word: string): string =>
  word
    .replace(/^.*[\\/]/s, "")
    .toLowerCase()
    .replace(/\.(?:exe|cmd|bat)$/, "")
    .replace(/^(python|perl|ruby|php|node|lua)[\d.]+$/, "$1");

/**
 * Which argument is a script that the program runs, as in `sh -c SCRIPT`; null: none is known to be.
 * Programs that start others (`env sh -c …`) are looked through.
 */
export function scriptAt(argv: readonly string[]): number | null {
  const runner = argv.findIndex((word) => TEXT_FLAGS.has(programName(word)));
  const flag = TEXT_FLAGS.get(programName(argv[runner] ?? ""));
  if (flag === undefined) return null;
  const at = argv.findIndex((word, index) => index > runner && flag.test(word));
  return at !== -1 && at + 1 < argv.length ? at + 1 : null;
}
