import { catalogueEntry } from "../contract/catalogue.ts";
import { lineOf } from "../contract/command-line.ts";
import type { ConsentPreview } from "../contract/consent-preview.ts";
import { plainPath } from "../contract/folder-path.ts";
import type { JsonObject } from "../contract/json.ts";
import { type NetworkHost, networkHostOf } from "../contract/network-host.ts";
import { isAgentScope, type Sensitivity } from "../contract/scopes.ts";
import { marksOfWords } from "../contract/target/path-marks.ts";
import { careFor, isEachTime, type PlaceCare, usesOf } from "../contract/target/special-places.ts";
import { isOnlyReading } from "../contract/tools/fetch-url.ts";

interface CommandFacts {
  /** The program's file, with every link resolved; null where nobody looked it up. */
  readonly program: string | null;
  /** The program as the call names it. */
  readonly named: string;
  readonly rest: readonly string[];
  /** It reads what another command or the line itself writes. */
  readonly fed: boolean;
  /** It would run in a sandbox that keeps it from the network. */
  readonly confined: boolean;
}

/** A place in the file system that a call names. */
export interface PlaceFacts {
  /** As tools open it; null: it is not plain. */
  readonly path: string | null;
  /** What it takes to use it unasked. */
  readonly care: PlaceCare;
}

/** What rules look at in a call. */
export interface CallFacts {
  /** The catalogue's name. */
  readonly tool_name: string;
  readonly scope: string;
  readonly sensitivity: Sensitivity;
  readonly places: readonly PlaceFacts[];
  /** Paths as a call names them, where links lead elsewhere. */
  readonly aliases: readonly (string | null)[];
  readonly host: NetworkHost | null;
  /** Whether a request to `host` sends data (contract §3). */
  readonly sends: boolean;
  readonly command: CommandFacts | null;
  /** A line, or a command of one, that an agent's shell reads; null: it is none. */
  readonly text: string | null;
  /** A command names a place where nothing is done unasked. */
  readonly marked: boolean;
  /** The tool of the agent's own that none of ours resembles; null: one of ours does. */
  readonly tool: string | null;
  /** The folders that the agent has open, with every link resolved; none: not known. */
  readonly project: readonly string[];
}

export interface FactsOf {
  readonly tool_name: string;
  readonly scope: string;
  readonly sensitivity: Sensitivity;
  readonly arguments: JsonObject;
  /** With every link resolved; null: they lead where they say, or nobody knows. */
  readonly leads_to?: JsonObject | null;
  /** What was looked at of a command; null: nothing. */
  readonly preview: ConsentPreview | null;
  readonly project?: readonly string[];
}

/** Arguments that name a place in the file system. */
const PATH_ARGUMENTS = ["path", "from", "to", "directory", "paths"] as const;

/** The places that a call names, as it writes them. */
export const placesIn = (args: JsonObject): readonly string[] =>
  PATH_ARGUMENTS.flatMap((key) => args[key] ?? []).filter((each) => typeof each === "string");

export function factsOf(call: FactsOf): CallFacts {
  const { tool_name, scope, sensitivity, arguments: args, leads_to, preview, project = [] } = call;
  const named = placesIn(args);
  const url = typeof args.url === "string" ? URL.parse(args.url) : null;
  const words = wordsOf(args.argv);
  const directory = typeof args.directory === "string" ? args.directory : "/";
  const use = usesOf(scope);
  return {
    tool_name: catalogueEntry(tool_name)?.name ?? tool_name,
    scope,
    sensitivity,
    places: placesIn(leads_to ?? args).map((path) => ({
      path: plainPath(path),
      care: careFor(plainPath(path), use),
    })),
    aliases: leads_to ? named.map(plainPath) : [],
    host: url === null ? null : networkHostOf(url),
    sends: url !== null && !isOnlyReading(args),
    command: commandOf(words, preview),
    // Ours is never a shell's line, whatever its program does with it.
    text: isAgentScope(scope) ? lineOf(args) : null,
    marked: marksOfWords(words, directory, []).some(isEachTime),
    tool: tool_name === "use_tool" && typeof args.tool === "string" ? args.tool : null,
    project,
  };
}

const wordsOf = (argv: unknown): readonly string[] =>
  Array.isArray(argv) ? argv.filter((word) => typeof word === "string") : [];

function commandOf(
  [named, ...rest]: readonly string[],
  preview: ConsentPreview | null,
): CommandFacts | null {
  if (named === undefined) return null;
  if (preview?.kind !== "command")
    return { program: null, named, rest, fed: false, confined: false };
  const { program, sandbox, network } = preview;
  return { program, named, rest, fed: false, confined: sandbox !== null && !network };
}
