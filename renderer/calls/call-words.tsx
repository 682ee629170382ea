import type { ToolProgressView } from "../../app/bridge/consent-views.ts";
import type { CallItem, CardStatus } from "../../app/bridge/conversation-views.ts";
import { toolLabel } from "../../i18n/index.ts";
import { type Texts, useTexts } from "../language.tsx";
import { Icon } from "../parts/icon.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { byteSize } from "../text/format.ts";
import { targetSentence } from "../text/target-words.ts";
import { visibleString } from "../text/visible-text.ts";
import { TargetLine } from "./target-line.tsx";

type NamedCall = Pick<CallItem, "tool_name" | "target">;

/** What a call is about while that is known, otherwise its tool: "Read notes.md", "Read a file". */
export function CallWords({ call: { tool_name, target } }: { readonly call: NamedCall }) {
  const { language } = useTexts();
  if (target === undefined) return <VisibleText text={toolLabel(language, tool_name)} />;
  return <TargetLine target={target} toolName={tool_name} />;
}

/** The same as one text. */
export const callText = (texts: Texts, { tool_name, target }: NamedCall): string =>
  target === undefined
    ? visibleString(toolLabel(texts.language, tool_name))
    : targetSentence(texts, target, tool_name);

export function StatusWord({ status }: { readonly status: CardStatus }) {
  const { t } = useTexts();
  return (
    <span className={`status status-${status}`}>
      <span className="status-sign" aria-hidden="true">
        <Icon name={status} />
      </span>
      {t(`status.${status}`)}
    </span>
  );
}

export function CallProgress({ progress }: { readonly progress: ToolProgressView | null }) {
  const { t, language } = useTexts();
  if (progress === null) return null;
  const { done, total, unit } = progress;
  const text =
    unit === "bytes" ? byteSize(language, done) : t(`home.progress.${unit}`, { count: done });
  return (
    <span className="muted nowrap">
      {text}
      {total === null || total === 0 ? null : (
        <progress value={Math.min(done, total)} max={total} aria-label={text} />
      )}
    </span>
  );
}

export function OutputTail({ progress }: { readonly progress: ToolProgressView | null }) {
  const lines = progress?.tail ?? [];
  if (lines.length === 0) return null;
  return (
    <pre className="output-tail" data-testid="output-tail">
      {lines.map((line, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the lines move up, and hold no state.
        <span key={at}>
          <VisibleText text={line} />
          {"\n"}
        </span>
      ))}
    </pre>
  );
}
