import { GridListItem } from "react-aria-components";
import type { ActivityRow } from "../../app/bridge/views.ts";
import { CallWords, callText, StatusWord } from "../calls/call-words.tsx";
import { type Texts, useTexts } from "../language.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { type AgentLabels, labelOf, useAgentLabel } from "../text/agent-labels.ts";
import { reasonOf, reasonText } from "../text/codes.ts";
import { duration } from "../text/format.ts";
import { rowTime } from "./row-time.ts";

/** One call. Without hooks, as it runs for every loaded line; cells run for visible ones. */
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
  const agent = useAgentLabel(row.agent_id, row.agent_name);
  const reason = reasonOf(row);
  return (
    <>
      <time className="log-time muted" dateTime={new Date(row.timestamp).toISOString()}>
        {rowTime(language, row.timestamp, Date.now())}
      </time>
      <StatusWord status={row.status} />
      <span className={keepsName(row) ? "log-tool" : "log-tool log-names-only"}>
        <CallWords call={row} />
      </span>
      <VisibleText within="span" className="log-agent muted" text={agent} />
      <span className="log-reason muted">
        {reason === null ? t(`decided_by.${row.decided_by}`) : reasonText(t, reason)}
      </span>
      <span className="log-took muted">
        {row.duration_ms === null ? null : duration(language, row.duration_ms)}
      </span>
    </>
  );
}

/** A move to the same name: only the folders say what it does. */
export const keepsName = ({ target }: ActivityRow): boolean =>
  target?.kind === "move" && target.parts.from.name === target.parts.to.name;
