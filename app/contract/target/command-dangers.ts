import type { Unread } from "../command-line.ts";

/**
 * What is known to have harmed people in commands. Not finding any of it says nothing: a command can
 * do harm in ways that no list has.
 */
const COMMAND_DANGERS = [
  "runs_download",
  "runs_decoded",
  "deletes_folders",
  "writes_dotfile",
  "as_administrator",
  "opens_rights",
  "writes_disk",
  "remote_shell",
  "loses_work",
  "starts_later",
] as const;
export type CommandDanger = (typeof COMMAND_DANGERS)[number];

const set = (words: string): ReadonlySet<string> => new Set(words.split(" "));

const DOWNLOADERS = set(
  "curl wget fetch aria2c http https iwr irm invoke-webrequest invoke-restmethod",
);
const DECODERS = set("base64 base32 xxd openssl uudecode");
const RUNNERS = set(
  "sh bash dash zsh ksh mksh ash fish python node perl ruby php eval source . iex invoke-expression",
);
/** Words before the program in a command. */
const BEFORE = set(
  "env nohup time nice exec command builtin xargs then do else if while until ! stdbuf setsid timeout",
);
const ADMINISTRATOR = set("sudo doas pkexec runas su");

interface Command {
  readonly name: string;
  readonly words: readonly string[];
}

/** Quotes are left out: what is inside of them may be run as well. */
function commandsOf(text: string): readonly Command[] {
  const words = text.split(/\s+/).flatMap((word) => {
    const bare = word.replace(/["']/g, "");
    return bare === "" ? [] : [bare];
  });
  const commands: Command[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const name = programName(words[at] ?? "") || (words[at] ?? "");
    commands.push({ name, words: words.slice(at + 1) });
    const isBefore = /^[a-z_]\w*=/.test(name) || BEFORE.has(name) || ADMINISTRATOR.has(name);
    // A wrapper's own options are skipped; the program comes after them.
    while (isBefore && /^(?:-|\d)/.test(words[at + 1] ?? "")) at += 1;
    if (!isBefore) break;
  }
  return commands;
}

const hasFlag = ({ words }: Command, letters: RegExp, long: RegExp): boolean =>
  words.some((word) => (/^-[^-]/.test(word) && letters.test(word)) || long.test(word));

const says = ({ words }: Command, pattern: RegExp): boolean => pattern.test(words.join(" "));

const OWN: readonly (readonly [CommandDanger, (command: Command) => boolean])[] = [
  ["as_administrator", ({ name }) => ADMINISTRATOR.has(name)],
  ["deletes_folders", (each) => each.name === "rm" && hasFlag(each, /[rR]/, /^--recursive$/)],
  ["deletes_folders", (each) => each.name === "find" && says(each, /(?:^| )-delete\b|-exec rm\b/)],
  ["deletes_folders", (each) => /^(?:rd|rmdir)$/.test(each.name) && says(each, /(?:^| )\/s\b/i)],
  ["deletes_folders", (each) => /^(?:remove-item|ri)$/.test(each.name) && says(each, /-r\w*/i)],
  [
    "opens_rights",
    (each) =>
      each.name === "chmod" && says(each, /(?:^| )(?:[0-7]?[0-7]{2}[2367]\b|[augo]*\+\w*[ws])/),
  ],
  [
    "writes_disk",
    ({ name }) => /^(?:mkfs|mkswap|fdisk|parted|wipefs|diskpart|format)\b/.test(name),
  ],
  ["writes_disk", (each) => each.name === "dd" && says(each, /\bof=\/dev\//)],
  [
    "remote_shell",
    (each) =>
      /^(?:nc|ncat|netcat)$/.test(each.name) && hasFlag(each, /[ec]/, /^--(?:exec|sh-exec)$/),
  ],
  ["remote_shell", (each) => each.name === "socat" && says(each, /exec:/i)],
  [
    "loses_work",
    (each) =>
      each.name === "git" &&
      says(each, /\bpush\b.* (?:--force\b|-f\b|\+)|\breset\b.* --hard\b|\bclean\b.* -\w*[fxd]/),
  ],
  ["starts_later", ({ name }) => /^(?:crontab|schtasks|at|batch)$/.test(name)],
  [
    "starts_later",
    (each) =>
      /^(?:systemctl|launchctl)$/.test(each.name) && says(each, /\b(?:enable|load|bootstrap)\b/),
  ],
];

/** Known dangers of a command, in the order of the list. Pure; linear in its length. */
export function commandDangers(argv: readonly string[]): readonly CommandDanger[] {
  const at = scriptAt(argv);
  const found = new Set<CommandDanger>();
  // An argument is one word: what a program is only told is no command.
  inCommands([argv.map((word) => word.replace(/[\s"'$`;&|<>(){}]+/g, "_")).join(" ")], found);
  if (at !== null) inScript(argv[at] ?? "", found);
  return COMMAND_DANGERS.filter((danger) => found.has(danger));
}

function inCommands(parts: readonly string[], found: Set<CommandDanger>): readonly string[] {
  const commands = parts.flatMap(commandsOf);
  for (const [danger, is] of OWN) if (commands.some(is)) found.add(danger);
  return commands.map(({ name }) => name);
}

function inScript(script: string, found: Set<CommandDanger>): void {
  if (/\/dev\/(?:tcp|udp)\//.test(script)) found.add("remote_shell");
  for (const [, target = ""] of script.matchAll(
    /(?:>|\btee(?: -\w+)*)[>|&\s]*["']?([^\s"';|&<>()]+)/g,
  )) {
    if (/(?:^|[\\/])\.[^./\\]/.test(target)) found.add("writes_dotfile");
    if (/^\/dev\/(?!null$|std|fd\/|tty$|tcp|udp)/.test(target)) found.add("writes_disk");
  }
  for (const statement of script.replace(/\\\r?\n/g, " ").split(/[\n;]|&&|\|\||(?<!>)&(?!>)/)) {
    const names = inCommands(statement.split(/\$\(|[<>]\(|[`(){}|]/), found);
    const isInserted = /\$\(|<\(|`|\(/.test(statement);
    const lastRunner = names.findLastIndex((name) => RUNNERS.has(name));
    for (const [danger, sources] of SOURCES) {
      const source = names.findIndex((name) => sources.has(name));
      const reaches = source !== -1 && (source < lastRunner || (isInserted && lastRunner !== -1));
      if (reaches) found.add(danger);
    }
  }
}

const SOURCES = [
  ["runs_download", DOWNLOADERS],
  ["runs_decoded", DECODERS],
] as const;

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
const programName = (word: string): string =>
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

/** Which words of a command stand for a danger that was found in it. */
const SIGNS: Readonly<Record<CommandDanger, RegExp>> = {
  runs_download:
    /\b(?:curl|wget|fetch|aria2c|https?(?!:)|iwr|irm|invoke-(?:webrequest|restmethod))\b/gi,
  runs_decoded: /\b(?:base64|base32|xxd|openssl|uudecode)\b/g,
  deletes_folders: /\b(?:rm|find|rd|rmdir|remove-item|ri)\b(?:\s+[-/]\S+)*/gi,
  writes_dotfile: /(?:>+|\btee\b)[^;&|\n]*?[\\/ >"']\.[^\s;&|"']+/g,
  as_administrator: /\b(?:sudo|doas|pkexec|runas|su)\b/g,
  opens_rights: /\bchmod\b(?:\s+\S+)?/g,
  writes_disk: /\b(?:mkfs\S*|mkswap|fdisk|parted|wipefs|diskpart|format)\b|\/dev\/(?!null\b)\S+/g,
  remote_shell: /\b(?:nc|ncat|netcat|socat)\b|\/dev\/(?:tcp|udp)\/\S*/g,
  loses_work:
    /\bgit\b[^;&|\n]*?\b(?:push|reset|clean)\b[^;&|\n]*?\s(?:--force\S*|--hard|-\w*[fxd]\w*|\+\S+)/g,
  starts_later: /\b(?:crontab|schtasks|at|batch|systemctl|launchctl)\b/g,
};

/** The text in pieces, of which those are `changed` that are to be marked. */
export function markDangers(
  text: string,
  dangers: readonly CommandDanger[],
  unread: Pick<Unread, "start" | "end"> | null,
): readonly { readonly text: string; readonly changed: boolean }[] {
  const places = dangers.flatMap((danger) =>
    [...text.matchAll(SIGNS[danger])].map(({ 0: words, index }) => ({
      start: index,
      end: index + words.length,
    })),
  );
  const found = [...places, ...(unread === null ? [] : [unread])].toSorted(
    (one, other) => one.start - other.start,
  );
  const pieces: { text: string; changed: boolean }[] = [];
  let at = 0;
  for (const { start, end } of found) {
    if (end <= at) continue;
    const from = Math.max(start, at);
    pieces.push(
      { text: text.slice(at, from), changed: false },
      { text: text.slice(from, end), changed: true },
    );
    at = end;
  }
  pieces.push({ text: text.slice(at), changed: false });
  return pieces.filter((piece) => piece.text !== "");
}
