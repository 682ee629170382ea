import { useEffect, useRef, useState } from "react";
import { Button, GridList, ListLayout, Virtualizer } from "react-aria-components";
import type { ActivityRow } from "../../app/bridge/views.ts";
import { useTexts } from "../language.tsx";
import { useAgentLabels } from "../text/agent-labels.ts";
import { logRow } from "./log-row.tsx";
import { type LogSession, type LogState, MOST_FRESH } from "./log-session.ts";
import { remSize } from "./use-narrow.ts";

/** Heights of a line and of a card, in rem, so that they grow with the font size. */
const LINE_REM = 2.25;
const CARD_REM = 3.75;

interface LogListProps {
  readonly session: LogSession;
  readonly state: LogState;
  readonly narrow: boolean;
  readonly onOpen: (row: ActivityRow) => void;
}

export function LogList({ session, state, narrow, onOpen }: LogListProps) {
  const texts = useTexts();
  const labels = useAgentLabels();
  const frame = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [rem] = useState(remSize);
  const rowSize = (narrow ? CARD_REM : LINE_REM) * rem;
  useShownRows(list, session, rowSize);
  const toTop = (): void => {
    frame.current?.focus({ preventScroll: true });
    list.current?.scrollTo({ top: 0 });
    session.show(0, 0);
  };
  return (
    <div className="log-frame" ref={frame} tabIndex={-1}>
      <ColumnNames />
      <FreshButton count={state.fresh} onPress={toTop} />
      <Virtualizer layout={ListLayout} layoutOptions={{ rowSize }}>
        <GridList
          className="log-list"
          ref={list}
          aria-label={texts.t("nav.activity")}
          items={state.rows}
          dependencies={[texts.language, labels]}
          data-testid="activity-list"
          data-lines={state.rows.length}
          data-phase={state.phase}
          data-whole={state.next === null}
          onAction={(key) => {
            const opened = state.rows.find(({ line_id }) => line_id === key);
            if (opened !== undefined) onOpen(opened);
          }}
        >
          {(row) => logRow(row, texts, labels)}
        </GridList>
      </Virtualizer>
    </div>
  );
}

function useShownRows(
  list: React.RefObject<HTMLDivElement | null>,
  session: LogSession,
  rowSize: number,
): void {
  useEffect(() => {
    const scroller = list.current;
    if (scroller === null) return;
    const look = (): void => {
      const first = Math.floor(scroller.scrollTop / rowSize);
      session.show(first, first + Math.ceil(scroller.clientHeight / rowSize));
    };
    const end = new AbortController();
    scroller.addEventListener("scroll", look, { passive: true, signal: end.signal });
    const resized = new ResizeObserver(look);
    resized.observe(scroller);
    return () => {
      end.abort();
      resized.disconnect();
    };
  }, [list, session, rowSize]);
}

const COLUMNS = ["time", "status", "tool", "agent", "decided_by", "duration"] as const;

/** Visual only: screen readers read each line's words from its single cell. */
function ColumnNames() {
  const { t } = useTexts();
  return (
    <div className="log-names" aria-hidden="true">
      {COLUMNS.map((name) => (
        <span key={name}>{t(`activity.${name}`)}</span>
      ))}
    </div>
  );
}

/** Shows lines that arrived while the person reads further down; nothing moves before. */
function FreshButton({ count, onPress }: Readonly<{ count: number; onPress: () => void }>) {
  const { t } = useTexts();
  return (
    <div className="log-fresh" role="status">
      {count === 0 ? null : (
        <Button className="primary fresh-button" data-testid="activity-fresh" onPress={onPress}>
          {count < MOST_FRESH
            ? t("activity.fresh", { count })
            : t("activity.most_fresh", { count: MOST_FRESH })}
        </Button>
      )}
    </div>
  );
}
