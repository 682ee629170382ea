import { memo } from "react";
import type { ConsentCard } from "../../app/bridge/consent-views.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../app/contract/json.ts";
import { type PatchedFile, patchedFiles } from "../../app/contract/patch-files.ts";
import { callTarget } from "../../app/contract/target/call-target.ts";
import { commandDangers, markDangers } from "../../app/contract/target/command-dangers.ts";
import { type CallTarget, commandLine } from "../../app/contract/target/target.ts";
import { unsaidArguments } from "../../app/contract/target/unsaid-arguments.ts";
import { TargetLine } from "../calls/target-line.tsx";
import { ValueRows } from "../calls/value-rows.tsx";
import { DrawnMarkdown } from "../conversations/message-text.tsx";
import { useTexts } from "../language.tsx";
import { MarkedText, VisibleText } from "../parts/visible-text.tsx";
import { argumentRows } from "../text/argument-rows.ts";
import { hasUnseen, visibleString } from "../text/visible-text.ts";
import { CardDetails } from "./card-details.tsx";
import { CardPreview } from "./card-preview.tsx";
import { TargetCautions } from "./card-question.tsx";
import { PatchedLines } from "./diff-view.tsx";

interface CardBlockProps {
  readonly card: ConsentCard;
  readonly target: CallTarget;
  /** One line of several on a card: nothing is folded away. */
  readonly listed?: boolean;
}

/** What would happen, then what neither that nor the question says; everything else is folded away. */
function Block({ card, target, listed = false }: CardBlockProps) {
  const { preview, arguments: args } = card;
  const typed = typedIn(card, target);
  const patched = card.tool_name === "apply_patch" ? patchedFiles(args) : null;
  const says = patched === null ? (typed?.says ?? []) : ["patch", "paths"];
  const rows = <UnsaidArguments args={unsaidIn(card, target, says)} />;
  const effect =
    preview === null || preview.kind === "command" ? null : (
      <CardPreview preview={preview} toolName={card.tool_name} args={args} />
    );
  // Arguments that a long difference does not show must come before it.
  const isLong = preview?.kind === "text_change";
  return (
    <>
      <TargetCautions target={target} />
      {typed === null ? null : <TypedBlock text={typed.text} card={card} />}
      <Programs line={card.line} />
      {patched?.map((file) => (
        <PatchedPart key={file.path} file={file} folders={card.folders} />
      ))}
      {target.kind === "approve_plan" && typeof args.plan === "string" ? (
        <div className="block plan" data-testid="consent-plan">
          <DrawnMarkdown text={args.plan} />
        </div>
      ) : null}
      {isLong ? rows : effect}
      {isLong ? effect : rows}
      <LeadsTo card={card} />
      <Reasons card={card} />
      <CommandCautions preview={preview} />
      <OwnWords card={card} />
      {listed ? null : <CardDetails card={card} target={target} />}
    </>
  );
}

/** Drawn once, as it can be long: what it shows stays while it waits; only the time goes on. */
export const CardBlock = memo(
  Block,
  (before, after) => before.card.request_id === after.card.request_id,
);

const TOOLS = { add: "write_file", update: "edit_file", delete: "delete_file" } as const;

function PatchedPart({
  file,
  folders,
}: { readonly file: PatchedFile } & Pick<ConsentCard, "folders">) {
  const { path, to, hunks } = file;
  const tool_name = to === null ? TOOLS[file.change] : "move_file";
  const args = to === null ? { path } : { from: path, to };
  const target = callTarget({ tool_name, arguments: args, preview: null, folders });
  return (
    <section className="preview patched" data-testid="consent-patched">
      <h3>
        <TargetLine target={target} toolName={tool_name} />
      </h3>
      <TargetCautions target={target} />
      {hunks.map((hunk, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a patch stay in their order
        <PatchedLines key={at} {...hunk} />
      ))}
    </section>
  );
}

/** What neither the question nor a text above says, nor the words that are quoted. */
function unsaidIn(card: ConsentCard, target: CallTarget, typed: readonly string[]): JsonObject {
  const { also, ...unsaid } = unsaidArguments(card, target);
  const left = Object.entries(unsaid).filter(([name]) => !typed.includes(name));
  if (also === undefined || !isJsonObject(also)) return Object.fromEntries(left);
  const { description, ...more } = also;
  const rest = typeof description === "string" ? more : also;
  return Object.fromEntries(Object.keys(rest).length === 0 ? left : [...left, ["also", rest]]);
}

/** What is drawn as one text, and the arguments that it shows whole; null: nothing is. */
interface Typed {
  readonly text: string;
  readonly says: readonly string[];
}

function typedIn({ arguments: args }: ConsentCard, target: CallTarget): Typed | null {
  switch (target.kind) {
    case "run": {
      const { argv, line, shell } = args;
      if (typeof line === "string") {
        return { text: line, says: ["line", ...(shell === "sh" ? ["shell"] : [])] };
      }
      const typed = isTexts(argv) ? commandLine(argv) : null;
      return typed === null ? null : { text: typed, says: ["argv"] };
    }
    case "copy_text":
      return typeof args.text === "string" ? { text: args.text, says: ["text"] } : null;
    case "send":
      return requestText(args);
    default:
      return null;
  }
}

const isTexts = (value: JsonValue | undefined): value is string[] =>
  Array.isArray(value) && value.every((each) => typeof each === "string");

/** As it goes over the line; null: something in it is not what a request has. */
function requestText({ method = "GET", url, headers = {}, body = "" }: JsonObject): Typed | null {
  if (typeof method !== "string" || typeof url !== "string" || typeof body !== "string")
    return null;
  if (!isJsonObject(headers)) return null;
  const fields = Object.entries(headers).map(([name, value]) => `${name}: ${String(value)}`);
  const content = body === "" ? [] : ["", body];
  const text = [`${method} ${url}`, ...fields, ...content].join("\n");
  return { text, says: ["method", "url", "headers", "body"] };
}

/** Marked are known dangers, and what keeps a line from being read. */
function TypedBlock({ text, card }: { readonly text: string } & Pick<CardBlockProps, "card">) {
  const { arguments: args, line } = card;
  const dangers = dangersOf(args);
  const unread = line?.unread ?? null;
  const isMarked = (dangers.length > 0 || unread !== null) && !hasUnseen(text);
  return (
    <pre className="block" data-testid="consent-block">
      {isMarked ? (
        <MarkedText pieces={markDangers(text, dangers, unread)} />
      ) : (
        <VisibleText text={text} block />
      )}
    </pre>
  );
}

/** What a line of several commands runs, each program once. */
function Programs({ line }: Pick<ConsentCard, "line">) {
  const { t, language } = useTexts();
  const read = line?.commands.map(({ words }) => words[0] ?? "") ?? [];
  const names = new Set([...read, ...(line?.programs ?? [])].map(visibleString));
  if (names.size < 2) return null;
  const commands = new Intl.ListFormat(language).format(names);
  return (
    <p className="muted" data-testid="consent-programs">
      {t(line?.unread === null ? "consent.line_runs" : "consent.line_may_run", { commands })}
    </p>
  );
}

function dangersOf({ argv, line }: JsonObject) {
  if (typeof line === "string") return commandDangers(["sh", "-c", line]);
  return isTexts(argv) ? commandDangers(argv) : [];
}

/** Why it is high, if it would not be by itself, and why words of a command are marked. */
function Reasons({ card: { arguments: args, raised, line } }: Pick<CardBlockProps, "card">) {
  const { t } = useTexts();
  const dangers = dangersOf(args);
  const reasons = raised.filter((why) => why !== "dangerous" || dangers.length === 0);
  return (
    <>
      {reasons.length === 0 ? null : (
        <ul className="why" data-testid="consent-raised">
          {reasons.map((why) => (
            <li key={why} data-raised={why}>
              {why === "unreadable" && line !== null && line.unread !== null
                ? t(`consent.unread.${line.unread.reason}`, {
                    text: visibleString(line.unread.text),
                  })
                : t(`consent.raised.${why}`)}
            </li>
          ))}
        </ul>
      )}
      {dangers.length === 0 ? null : (
        <ul className="why" data-testid="consent-dangers">
          {dangers.map((danger) => (
            <li key={danger} data-danger={danger}>
              {t(`consent.danger.${danger}`)}
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Where its paths lead, if that is not where they say. */
function LeadsTo({ card: { arguments: args, leads_to } }: Pick<CardBlockProps, "card">) {
  const { t } = useTexts();
  const elsewhere = Object.entries(leads_to ?? {}).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(args[name]),
  );
  return elsewhere.length === 0 ? null : (
    <section className="arguments" data-testid="consent-leads-to">
      <h3>{t("consent.leads_to")}</h3>
      <ValueRows rows={argumentRows(Object.fromEntries(elsewhere))} />
    </section>
  );
}

/** What of a command's surroundings has to be known before it is allowed. */
function CommandCautions({ preview }: Pick<ConsentCard, "preview">) {
  const { t } = useTexts();
  if (preview?.kind !== "command") return null;
  return (
    <>
      {preview.sandbox === null ? (
        <p className="why" data-testid="consent-sandbox">
          {t("consent.command.no_sandbox")}
        </p>
      ) : null}
      {preview.network ? <p className="why">{t("consent.command.network")}</p> : null}
    </>
  );
}

/** What an agent says that its own tool is used for. */
const describedBy = ({ also }: JsonObject): string | undefined =>
  also !== undefined && isJsonObject(also) && typeof also.description === "string"
    ? also.description
    : undefined;

/** What the agent says of this call or of its tool: its own words, which nobody has checked. */
function OwnWords({ card }: { readonly card: ConsentCard }) {
  const { t } = useTexts();
  const words =
    describedBy(card.arguments) ??
    card.said.tools.find(({ name }) => name === card.tool_name)?.words;
  if (words === undefined) return null;
  return (
    <p className="said" title={t("agents.said")} data-testid="consent-said">
      <VisibleText within="q" text={words} />
    </p>
  );
}

function UnsaidArguments({ args }: { readonly args: JsonObject }) {
  const rows = argumentRows(args);
  return rows.length === 0 ? null : (
    <div className="arguments" data-testid="consent-arguments">
      <ValueRows rows={rows} />
    </div>
  );
}
