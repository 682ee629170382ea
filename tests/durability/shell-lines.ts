import { execFile } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readLine } from "../../app/commands/read-line.ts";
import { RandomNumbers } from "../seeding/random-numbers.ts";

/** Names of programs that write down how they were started and do nothing else. */
const STAND_INS = ["git", "npm", "rg", "ls", "make", "evil"] as const;
/** With no arguments, `cat` is the one of the system, which agents' here-documents need. */
const CAT =
  '#!/bin/sh\n[ $# = 0 ] && exec /bin/cat\nprintf \'%s\\0\' cat "$@" "<end>" >> "$RECORD"\n';
const STAND_IN = '#!/bin/sh\nprintf \'%s\\0\' "${0##*/}" "$@" "<end>" >> "$RECORD"\n';

const list = (text: string): readonly string[] => text.split("¦");

/** What is read. */
const TAME = [
  ..."git npm rg ls make cat status test -s --x=y a/b.ts HEAD~1 HEAD^".split(" "),
  ...list(`'two words'¦"two words"¦'a;evil'¦"a | evil"¦''¦""¦'$(evil)'¦'\`evil\`'¦"it's"`),
  ...list(" ¦ ¦ ¦ ¦ ¦ && ¦ || ¦; ¦ | ¦\n¦\t¦ 2>&1¦ >/dev/null¦ </dev/null"),
  "\"$(cat <<'E'\ndon't (stop)\nE\n)\"",
  " <<'E'\n$(evil)\nE\n",
];

/** Every way that we know to have more happen. */
const ODD = [
  ...list("evil¦ evil ¦;evil¦|evil¦\nevil\n¦&evil¦ & evil¦&&evil¦||evil¦(evil)¦ { evil; }"),
  ...list(`$(evil)¦\`evil\`¦"$(evil)"¦"\`evil\`"¦<(evil)¦$((evil))¦\${x:-$(evil)}¦$'evil'¦$"evil"`),
  ...list("'¦\"¦\\¦\\\n¦\r¦\r\n¦\u00a0¦\u3000¦\u2028¦\u200b¦\v¦\f¦#¦ # ¦!¦ä¦~¦*¦?¦[a]¦{evil,x}"),
  ...list(">out¦2>out¦>>out¦<out¦>&out¦&>/dev/null¦|& evil¦$x¦x=y evil¦x=$(evil)¦cd sub && "),
  ...list("eval evil¦exec evil¦. evil¦command evil¦env evil¦time evil¦! evil¦trap evil EXIT"),
  ...list("alias git=evil\n¦git() { evil; }\n¦if evil; then ls; fi¦for x in 1; do evil; done"),
  ...list("<<'E'\nevil\nE\n¦<<E\n$(evil)\nE\n¦<<E\nevil\nE\n¦<<'E'\nx\n¦<<'E' && evil\nE\n"),
  ...[
    "<<'E'\n$(evil)\nE\n)",
    "<<'E'\nE\nevil\nE\n)",
    "<<'E'\na\" ; evil\nE\n)",
    "<<E\n$(evil)\nE\n)",
    "<<'E'\n)$(evil)\nE\n)",
  ].map((text) => `"$(cat ${text}"`),
];

/** @param random a number of at least 0 and below 1 */
function madeLine(random: () => number): string {
  const pick = <T>(from: readonly T[]): T | undefined => from[Math.floor(random() * from.length)];
  const isTame = random() < 0.6;
  const from = isTame ? TAME : [...TAME, ...ODD];
  const count = 2 + Math.floor(random() * 9);
  const pieces = Array.from({ length: count }, (_, at) =>
    at % 2 === 1 && random() < 0.7 ? " " : (pick(from) ?? ""),
  );
  const line = `${pick(STAND_INS.slice(0, 5))} ${pieces.join("")}`;
  // One that would be read, with one piece more somewhere.
  if (!isTame || random() < 0.5) return line;
  const at = Math.floor(random() * (line.length + 1));
  return line.slice(0, at) + pick(ODD) + line.slice(at);
}

/** A folder with such programs, in which lines run for real. */
export class ShellBench {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
    for (const name of ["bin", "records"]) mkdirSync(join(folder, name));
    mkdirSync(join(folder, "work", "sub"), { recursive: true });
    for (const name of [...STAND_INS, "cat"]) {
      const path = join(folder, "bin", name);
      writeFileSync(path, name === "cat" ? CAT : STAND_IN);
      chmodSync(path, 0o755);
    }
  }

  /** What a shell started for each line, with the arguments. */
  async started(shell: string, lines: readonly string[]): Promise<readonly Started[]> {
    const records = lines.map((_, at) => join(this.#folder, "records", String(at)));
    // One process for all of them: starting each from here takes ten times as long.
    const runs = lines.map((line, at) => {
      const quoted = line.replaceAll("'", "'\\''");
      return `RECORD='${records[at]}' ${shell} -c '${quoted}' </dev/null >/dev/null 2>&1\n`;
    });
    const driver = join(this.#folder, "driver");
    writeFileSync(driver, `cd '${join(this.#folder, "work")}'\n${runs.join("")}`);
    const env = { PATH: join(this.#folder, "bin") };
    await new Promise<void>((resolve, reject) => {
      execFile("/bin/sh", [driver], { env }, () => resolve()).on("error", reject);
    });
    return records.map((record) => {
      if (!existsSync(record)) return [];
      const text = readFileSync(record, "utf8");
      rmSync(record);
      const each = text.split("\0<end>\0").slice(0, -1);
      return each.map((words) => words.split("\0"));
    });
  }

  /** Made lines; the same for the same seed. */
  tryMade(shell: string, lines: number, seed: number | string) {
    const numbers = new RandomNumbers(seed);
    return this.unforeseen(
      shell,
      Array.from({ length: lines }, () => madeLine(() => numbers.unit())),
    );
  }

  /** Lines that were read, and those of them that started what reading them does not say. */
  async unforeseen(shell: string, lines: readonly string[]) {
    const read = lines.flatMap((line) => {
      const reading = readLine(line);
      if (reading.kind === "unread" || line.includes("\0")) return [];
      return [{ line, words: new Set(reading.commands.map((each) => JSON.stringify(each.words))) }];
    });
    const started = await this.started(
      shell,
      read.map(({ line }) => line),
    );
    const found = read.filter(({ words }, at) =>
      started[at]?.some((each) => !words.has(JSON.stringify(each))),
    );
    const ran = started.flat().length;
    return { read: read.length, ran, unforeseen: found.map(({ line }) => line) };
  }
}

/** Programs with their arguments. */
type Started = readonly (readonly string[])[];

/** Those shells of the system that run lines of the small language. */
export const SHELLS = ["/bin/sh", "/bin/bash", "/bin/zsh", "/bin/ksh"].filter(existsSync);

const AT_ONCE = 1_000;

/** Made lines in every shell of the system, in turn. */
export async function tryLines(
  { lines, seed }: { readonly lines: number; readonly seed: string },
  told: (report: {
    lines: number;
    read: number;
    ran: number;
    unforeseen: readonly string[];
  }) => void,
) {
  const folder = mkdtempSync(join(tmpdir(), "command-lines-"));
  const report = { lines: 0, read: 0, ran: 0, unforeseen: [] as string[] };
  try {
    const bench = new ShellBench(folder);
    for (let part = 0; report.lines < lines; part += 1) {
      const shell = SHELLS[part % SHELLS.length] ?? "/bin/sh";
      const count = Math.min(AT_ONCE, lines - report.lines);
      const tried = await bench.tryMade(shell, count, `${seed} ${part}`);
      report.lines += count;
      report.read += tried.read;
      report.ran += tried.ran;
      report.unforeseen.push(...tried.unforeseen);
      if (part % 10 === 9) told(report);
    }
    return report;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
