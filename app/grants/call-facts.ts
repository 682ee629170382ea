import { catalogueEntry } from "../contract/catalogue.ts";
import type { ConsentPreview } from "../contract/consent-preview.ts";
import { plainPath } from "../contract/folder-path.ts";
import type { JsonObject } from "../contract/json.ts";
import { type NetworkHost, networkHostOf } from "../contract/network-host.ts";
import type { Sensitivity } from "../contract/scopes.ts";
import { marksOfPath, marksOfWords, type PathMark } from "../contract/target/path-marks.ts";
import { isOnlyReading } from "../contract/tools/fetch-url.ts";

interface CommandFacts {
  /** The program's file, with every link resolved; null where nobody looked it up. */
  readonly program: string | null;
  /** The program as the call names it. */
  readonly named: string;
  readonly rest: readonly string[];
  /** It would run in a sandbox that keeps it from the network. */
  readonly confined: boolean;
}

/** What rules look at in a call. */
export interface CallFacts {
  /** The catalogue's name. */
  readonly tool_name: string;
  readonly scope: string;
  readonly sensitivity: Sensitivity;
  /** The paths the call names, as tools open them; null for one that is not plain. */
  readonly paths: readonly (string | null)[];
  readonly host: NetworkHost | null;
  /** Whether a request to `host` sends data (contract §3). */
  readonly sends: boolean;
  readonly command: CommandFacts | null;
  /** The card would mark one of its places as special. */
  readonly marked: boolean;
}

interface FactsOf {
  readonly tool_name: string;
  readonly scope: string;
  readonly sensitivity: Sensitivity;
  readonly arguments: JsonObject;
  /** What was looked at of a command; null: nothing. */
  readonly preview: ConsentPreview | null;
}

/** Arguments that name a place in the file system. */
const PATH_ARGUMENTS = ["path", "from", "to", "directory"] as const;

/** Marks that do not make a place more dangerous to change than its neighbours. */
const ORDINARY: ReadonlySet<PathMark> = new Set<PathMark>(["hidden", "executable", "build_script"]);

export function factsOf(call: FactsOf): CallFacts {
  const { tool_name, scope, sensitivity, arguments: args, preview } = call;
  const named = PATH_ARGUMENTS.flatMap((key) => (typeof args[key] === "string" ? args[key] : []));
  const url = typeof args.url === "string" ? URL.parse(args.url) : null;
  const words = wordsOf(args.argv);
  const directory = typeof args.directory === "string" ? args.directory : "/";
  const marks = [
    ...named.flatMap((path) => marksOfPath(path, [])),
    ...marksOfWords(words, directory, []),
  ];
  return {
    tool_name: catalogueEntry(tool_name)?.name ?? tool_name,
    scope,
    sensitivity,
    paths: named.map(plainPath),
    host: url === null ? null : networkHostOf(url),
    sends: url !== null && !isOnlyReading(args),
    command: commandOf(words, preview),
    marked: marks.some((mark) => !ORDINARY.has(mark) && mark !== "outside"),
  };
}

const wordsOf = (argv: unknown): readonly string[] =>
  Array.isArray(argv) ? argv.filter((word) => typeof word === "string") : [];

function commandOf(
  [named, ...rest]: readonly string[],
  preview: ConsentPreview | null,
): CommandFacts | null {
  if (named === undefined) return null;
  if (preview?.kind !== "command") return { program: null, named, rest, confined: false };
  const { program, sandbox, network } = preview;
  return { program, named, rest, confined: sandbox !== null && !network };
}
