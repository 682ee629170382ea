import { parseArgs } from "node:util";
import { errorKind } from "../../../app/contract/coded-error.ts";
import { EXPORT_ENDING, IMPORT_LINK } from "../../../app/contract/own-data.ts";
import { LANGUAGES, type Language } from "../../../app/contract/settings.ts";
import type { HubLink } from "../program-parts.ts";
import { hubLinkIn } from "../program-parts.ts";

export interface Flags {
  readonly host: "desktop" | "browser" | null;
  /** Port of the browser host's UI; 0 = any free. */
  readonly port: number;
  /** Port of the hub, 0 = any free; null: the last one, if it is free. */
  readonly hubPort: number | null;
  /** Another hub than its own. */
  readonly hub?: HubLink;
  readonly dataDir: string | null;
  readonly lang: Language | null;
  /** File with the passphrase of the data folder's key; absent: it is asked for if needed. */
  readonly passphraseFile?: string | undefined;
  /** A policy that restricts further than the computer's own. */
  readonly policyFile?: string | undefined;
  /** Replace lost keys with new ones, and set aside what only the old ones opened. */
  readonly newKeys?: true;
  /** Open the UI in the person's browser. */
  readonly open: boolean;
  /** The link that the system started the program with. */
  readonly link?: string;
}

const LINK = /^consentry:/;
/** A path, or on some systems a `file:` address. */
const isExport = (text: string): boolean => text.endsWith(EXPORT_ENDING) && !text.startsWith("-");

/** Each flag, its value and what it is for; in docs/using-consentry.md with more words. */
const OPTIONS = {
  host: { type: "string", value: "desktop|browser", about: "where its pages are shown" },
  port: { type: "string", value: "PORT", about: "port of the browser host's page; 0: any free" },
  hub: { type: "string", value: "LINK", about: "another hub: its address, or an invitation" },
  "hub-port": { type: "string", value: "PORT", about: "port of the hub; 0: any free" },
  "data-dir": { type: "string", value: "FOLDER", about: "where its data is" },
  lang: { type: "string", value: LANGUAGES.join("|"), about: "language of its pages" },
  "passphrase-file": {
    type: "string",
    value: "FILE",
    about: "its first line is the passphrase of the data's key",
  },
  policy: { type: "string", value: "FILE", about: "a policy that restricts it further" },
  "new-keys": { type: "boolean", value: "", about: "makes new keys in place of lost ones" },
  "no-open": { type: "boolean", value: "", about: "prints the page's link and opens no browser" },
  help: { type: "boolean", value: "", about: "prints this" },
} as const;

const usageOf = ([name, { value, about }]: readonly [string, { value: string; about: string }]) =>
  `  ${`--${name} ${value}`.padEnd(30)}${about}`;

/** What `--help` prints. */
export const USAGE = ["Consentry takes these flags:", ...Object.entries(OPTIONS).map(usageOf)].join(
  "\n",
);

/** `--help` was given: nothing starts, and the message is `USAGE`. */
export const helpAsked = errorKind<"help_asked">("HelpAsked");

export const flagError = errorKind<"bad_flag">("FlagError");

/** @throws FlagError with a sentence for the person who typed it, HelpAsked */
export function readFlags(argv: readonly string[]): Flags {
  const { flags, link } = splitLink(argv);
  const values = parse(flags);
  if (values.help === true) throw helpAsked("help_asked", { message: USAGE });
  return {
    host: oneOf("--host", values.host, ["desktop", "browser"] as const),
    port: portOf("--port", values.port) ?? 0,
    hubPort: portOf("--hub-port", values["hub-port"]),
    ...(values.hub === undefined ? {} : { hub: hubLinkOf(values.hub) }),
    dataDir: pathOf("--data-dir", "folder", values["data-dir"]) ?? null,
    lang: oneOf("--lang", values.lang, LANGUAGES),
    open: values["no-open"] !== true,
    ...(values["new-keys"] === true ? { newKeys: true } : {}),
    passphraseFile: pathOf("--passphrase-file", "file", values["passphrase-file"]),
    policyFile: pathOf("--policy", "file", values.policy),
    ...(link === null ? {} : { link }),
  };
}

/**
 * A link comes last. Whoever wrote it may have tried to get flags in after it, as further arguments: then
 * it is not the last, and nothing starts. A file of ours that was opened comes alone.
 */
function splitLink(argv: readonly string[]) {
  const last = argv.at(-1);
  if (argv.length === 1 && last !== undefined && isExport(last)) {
    return { flags: [], link: IMPORT_LINK };
  }
  if (last === undefined || !LINK.test(last)) return { flags: argv, link: null };
  return { flags: argv.slice(0, -1), link: last };
}

function parse(argv: readonly string[]) {
  try {
    return parseArgs({
      args: [...argv],
      strict: true,
      allowPositionals: false,
      options: OPTIONS,
    }).values;
  } catch (error) {
    throw flagError("bad_flag", {
      message: error instanceof Error ? error.message : "unreadable flags",
    });
  }
}

function hubLinkOf(text: string): HubLink {
  const link = hubLinkIn(text);
  if (link !== null) return link;
  throw flagError("bad_flag", {
    message: "--hub takes an https:// address, or the link of an invitation",
  });
}

/** `resolve` would take an empty one for the current folder. */
function pathOf(flag: string, what: "file" | "folder", text: string | undefined) {
  if (text === "") throw flagError("bad_flag", { message: `${flag} takes the path of a ${what}` });
  return text;
}

function portOf(flag: string, text: string | undefined): number | null {
  if (text === undefined) return null;
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw flagError("bad_flag", { message: `${flag} takes a port from 0 to 65535` });
  }
  return Number(text);
}

function oneOf<const W extends string>(
  flag: string,
  text: string | undefined,
  words: readonly W[],
): W | null {
  if (text === undefined) return null;
  const word = words.find((each) => each === text);
  if (word === undefined)
    throw flagError("bad_flag", { message: `${flag} takes one of: ${words.join(", ")}` });
  return word;
}
