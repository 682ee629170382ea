import type { ToolProgressView } from "../../app/bridge/views.ts";
import { useTexts } from "../language.tsx";
import { byteSize } from "../text/format-size.ts";
import { VisibleText } from "./visible-text.tsx";

/** How far a running call is. */
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

/** What a running command wrote last. */
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
