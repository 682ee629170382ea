import type { NoteItem } from "../../app/bridge/conversation-views.ts";
import { useTexts } from "../language.tsx";
import { Icon } from "../parts/icon.tsx";
import { useAgentLabel } from "../parts/use-agent-labels.ts";
import { visibleString } from "../text/visible-text.ts";
import { hubErrorText } from "./hub-errors.ts";
import { clockTime } from "./times.ts";

/** What the program did on the person's request. */
export function NoteLine({ item }: { readonly item: NoteItem }) {
  const { t, language } = useTexts();
  const agent = useAgentLabel(item.agent_id, item.agent_name);
  const done = item.code === "manifest_applied";
  return (
    <div className="note-line" data-testid="note" data-code={item.code}>
      <Icon name={done ? "ok" : "error"} />
      <div>
        <p>
          {done
            ? t("conversations.note_applied", {
                agent,
                version: item.manifest_version ?? "",
                agent_version: visibleString(item.agent_version ?? ""),
              })
            : t("conversations.note_not_applied", { agent })}
        </p>
        <p className="muted">
          {done
            ? t("conversations.note_changes", { count: item.changes, breaking: item.breaking })
            : hubErrorText(t, item.error_code ?? "")}{" "}
          · <time dateTime={new Date(item.at).toISOString()}>{clockTime(language, item.at)}</time>
        </p>
      </div>
    </div>
  );
}
