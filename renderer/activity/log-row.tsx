import { GridListItem } from "react-aria-components";
import type { ActivityRow } from "../../app/bridge/views.ts";
import { scopeLabel } from "../../i18n/index.ts";
import { CallWords, callText, StatusWord } from "../calls/call-words.tsx";
import { type Texts, useTexts } from "../language.tsx";
import { useNow, wallClock } from "../parts/use-now.ts";
import { VisibleText } from "../parts/visible-text.tsx";
import { type AgentLabels, labelOf, useAgentLabelParts } from "../text/agent-labels.ts";
import { reasonOf, reasonText } from "../text/codes.ts";
import { duration } from "../text/format.ts";
import { rowTime } from "./row-time.ts";

const SHORT_CHARS = 10;
/** How often texts such as "2 minutes ago" are updated, in milliseconds. */
const RETELL_MS = 20_000;

/**
 * One call: a line with columns if there is room, otherwise a card of two lines. It uses no hooks
 * because it runs for every loaded line, while cells are rendered only for visible ones.
 */
export function logRow(row: ActivityRow, texts: Texts, labels: AgentLabels) {
  const name = [
    texts.t(`status.${row.status}`),
    callText(texts, row),
    labelOf(labels, row.agent_id, row.agent_name),
  ];
  return (
    <GridListItem
      id={row.line_id}
      className="log-row"
      textValue={name.join(", ")}
      data-testid="activity-row"
      data-line={row.line_id}
      data-status={row.status}
      data-tool={row.tool_name}
      data-reason={row.reason ?? ""}
      data-decided-by={row.decided_by}
      data-call-id={row.call_id}
    >
      <RowCells row={row} />
    </GridListItem>
  );
}

function RowCells({ row }: { readonly row: ActivityRow }) {
  const { t, language } = useTexts();
  const agent = useAgentLabelParts(row.agent_id, row.agent_name);
  return (
    <>
      <RowTimeCells at={row.timestamp} />
      <StatusWord status={row.status} />
      <span className={keepsName(row) ? "log-tool" : "log-tool log-names-only"}>
        <CallWords call={row} />
      </span>
      <span className="log-agent muted">
        <VisibleText text={agent.name} />
      </span>
      {agent.key === null ? null : <span className="log-key fingerprint">{agent.key}</span>}
      <span className="log-scope">
        <VisibleText text={scopeLabel(language, { id: row.scope })} />
      </span>
      <span className="log-rule">{t(`decided_by.${row.decided_by}`)}</span>
      <span className="log-reason muted">{reasonText(t, reasonOf(row))}</span>
      <span className="log-took muted">
        {row.duration_ms === null ? null : duration(language, row.duration_ms)}
      </span>
      <span className="log-call mono">
        <VisibleText text={row.call_id.slice(0, SHORT_CHARS)} />
      </span>
    </>
  );
}

/** A move to the same name: only the folders say what it does. */
const keepsName = ({ target }: ActivityRow): boolean =>
  target?.kind === "move" && target.parts.from.name === target.parts.to.name;

function RowTimeCells({ at }: { readonly at: number }) {
  const { language } = useTexts();
  const now = useNow(wallClock, RETELL_MS);
  const { first, second } = rowTime(language, at, now);
  return (
    <time className="log-time" dateTime={new Date(at).toISOString()}>
      <span>{first}</span> <span className="muted">{second}</span>
    </time>
  );
}
