import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CALLS, type CallName, CONSENT_WINDOW_CALLS } from "../../app/bridge/calls.ts";
import { BRIDGE_ERRORS } from "../../app/bridge/client-bridge.ts";
import { CONSENT_WINDOW_EVENTS, EVENT_NAMES } from "../../app/bridge/events.ts";
import { code, type Described } from "./describe-schema.ts";

const folder = fileURLToPath(new URL("../../app/bridge/", import.meta.url));
const source = readdirSync(folder)
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
  .map((name) => readFileSync(join(folder, name), "utf8"))
  .join("\n");

/** docs/bridge.md: everything that a page can ask of its host, and is told. */
export const bridgePage = (): string =>
  [
    "# The page's bridge",
    "",
    "What a page may ask its host, and what the host tells it: the same in Electron and in the browser host.",
    "Written by `npm run docs:reference` from [`app/bridge/`](../app/bridge), which says what each means.",
    "The host checks every argument against its schema. Each line: the call, its arguments, its result, and the codes",
    "it fails with besides `unknown_call`, `foreign_sender`, `invalid_arguments`, `managed`, `store_unwritable`,",
    "`disconnected`, `unanswered` and `internal_error`. The consent window has only what is marked ●.",
    "",
    "## Calls",
    "",
    ...callNames().map(callLine),
    "",
    "## Events",
    "",
    ...EVENT_NAMES.map((name) =>
      line(marked(name, CONSENT_WINDOW_EVENTS), typeOf(eventType(name)), []),
    ),
    "",
  ].join("\n");

const callNames = (): readonly CallName[] => Object.keys(CALLS) as CallName[];

function callLine(name: CallName): string {
  const { comment, result } = declarationOf(name);
  return line(
    marked(name, CONSENT_WINDOW_CALLS, argumentsOf(CALLS[name].args as Described)),
    result === "null" ? "" : typeOf(result),
    codesIn(comment).map(code),
  );
}

const line = (name: string, brings: string, codes: readonly string[]): string =>
  `- ${name}${brings === "" ? "" : `: ${brings}`}${codes.length === 0 ? "" : `; ${codes.join(" ")}`}`;

const marked = (name: string, consent: readonly string[], given = ""): string =>
  `${code(given === "" ? name : `${name}(${given})`)}${consent.includes(name) ? " ●" : ""}`;

/** `?`: may be left out. */
const argumentsOf = ({ properties = {}, required = [] }: Described): string =>
  Object.keys(properties)
    .map((key) => (required.includes(key) ? key : `${key}?`))
    .join(", ");

interface Declaration {
  readonly comment: string;
  readonly result: string;
}

/** A call's types are in its source alone. */
function declarationOf(name: string): Declaration {
  const found = new RegExp(
    `((?:/\\*\\*(?:(?!\\*/)[^])*\\*/)?)\\s*"${name}":\\s*call<([\\s\\S]*?)>\\(\\)`,
  ).exec(source);
  if (found === null) throw new TypeError(`no declaration of ${name}`);
  return { comment: found[1] ?? "", result: found[2] ?? "" };
}

/** Up to the semicolon that is in no braces. */
function eventType(name: string): string {
  const start = source.indexOf(`readonly "${name}":`) + `readonly "${name}":`.length;
  let depth = 0;
  let at = start;
  while (depth > 0 || source[at] !== ";") {
    if (source[at] === "{") depth += 1;
    if (source[at] === "}") depth -= 1;
    at += 1;
  }
  return source.slice(start, at);
}

/** Those that its comment names after `@throws`, and those of the calls that it refers to. */
function codesIn(comment: string): readonly string[] {
  const thrown = comment.slice(comment.indexOf("@throws"));
  const words = [...thrown.matchAll(/`([\w.]+)`/g)].map(([, word = ""]) => word);
  const known: readonly string[] = BRIDGE_ERRORS;
  const named = words.flatMap((word) => {
    if (known.includes(word)) return [word];
    return word in CALLS ? codesIn(declarationOf(word).comment) : [];
  });
  return comment.includes("@throws") ? [...new Set(named)].toSorted() : [];
}

/** On one line, without what only the compiler needs. */
function typeOf(text: string): string {
  const plain = text
    .replaceAll(/\/\*\*[\s\S]*?\*\/|readonly /g, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  return plain === "" || plain === "null"
    ? ""
    : code(plain.replace(/^\| /, "").replaceAll("; }", " }"));
}
