import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { GridList, Virtualizer } from "react-aria-components";
import type { ActivityRow } from "../../app/bridge/views.ts";
import { useTexts } from "../language.tsx";
import { useAgentLabels } from "../text/agent-labels.ts";
import { isWhole, rowCount } from "./cursor-book.ts";
import { FreshButton } from "./fresh-button.tsx";
import { LogLayout } from "./log-layout.ts";
import { logRow } from "./log-row.tsx";
import type { LogSession, LogState } from "./log-session.ts";
import { RowPlacer, ShiftingView, shiftedBase, tallness } from "./placed-rows.ts";
import { remSize } from "./use-narrow.ts";

/** Heights of a line and of a card, in rem, so that they grow with the font size. */
const LINE_REM = 2.75;
const CARD_REM = 3.75;
/**
 * Extra height for keys that distinguish agents, if there are any; all lines have the same height.
 */
const KEY_REM = 1;

interface LogListProps {
  readonly session: LogSession;
  readonly state: LogState;
  readonly narrow: boolean;
  readonly onOpen: (row: ActivityRow) => void;
}

/** The log's lines: any number of them, of which only the visible ones are rendered. */
export function LogList({ session, state, narrow, onOpen }: LogListProps) {
  const texts = useTexts();
  const labels = useAgentLabels();
  const frame = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [placer] = useState(() => new RowPlacer());
  const rowSize = useRowSize(
    narrow,
    [...labels.values()].some(({ key }) => key !== null),
  );
  const base = useBase(list, session, rowSize);
  const rows = placer.placed(state.book, base);
  const toTop = (): void => {
    frame.current?.focus({ preventScroll: true });
    list.current?.scrollTo({ top: 0 });
    session.show(0, 0);
    session.follow(true);
  };
  return (
    <div className="log-frame" ref={frame} tabIndex={-1}>
      <ColumnNames />
      <FreshButton count={state.fresh} onPress={toTop} />
      <Virtualizer
        layout={LogLayout}
        layoutOptions={{ rowSize, rows: tallness(rowCount(state.book), base) }}
      >
        <GridList
          className="log-list"
          ref={list}
          aria-label={texts.t("nav.activity")}
          items={rows}
          dependencies={[texts.language, labels]}
          data-testid="activity-list"
          data-lines={rowCount(state.book)}
          data-phase={state.phase}
          data-whole={isWhole(state.book)}
          onAction={(key) => {
            const opened = rows.find(({ id }) => id === key);
            if (opened !== undefined) onOpen(opened.row);
          }}
        >
          {(placed) => logRow(placed, texts, labels)}
        </GridList>
      </Virtualizer>
    </div>
  );
}

function lineOf(target: EventTarget | null): number | null {
  if (!(target instanceof Element)) return null;
  const line = target.closest("[data-line]")?.getAttribute("data-line");
  return line == null ? null : Number(line);
}

function useRowSize(narrow: boolean, withKeys: boolean): number {
  const [rem] = useState(remSize);
  return ((narrow ? CARD_REM : LINE_REM) + (withKeys ? KEY_REM : 0)) * rem;
}

/**
 * Tells the session which lines are visible and which has the focus, and shifts a list that is too
 * long to render.
 */
function useBase(
  list: React.RefObject<HTMLDivElement | null>,
  session: LogSession,
  rowSize: number,
): number {
  const [base, setBase] = useState(0);
  const [view] = useState(() => new ShiftingView());
  useLayoutEffect(() => {
    const top = view.drawn(base, rowSize);
    if (top !== null && list.current !== null) list.current.scrollTop = top;
  }, [base, list, rowSize, view]);
  useEffect(() => {
    const scroller = list.current;
    if (scroller === null) return;
    const look = (): void => {
      const first = view.look(scroller.scrollTop, rowSize);
      session.show(first, first + Math.ceil(scroller.clientHeight / rowSize));
      session.follow(first === 0);
      setBase((before) => shiftedBase(before, first));
    };
    const end = new AbortController();
    scroller.addEventListener("scroll", look, { passive: true, signal: end.signal });
    const pin = ({ target }: FocusEvent): void => session.pin(lineOf(target));
    scroller.addEventListener("focusin", pin, { signal: end.signal });
    scroller.addEventListener("focusout", () => session.pin(null), { signal: end.signal });
    const resized = new ResizeObserver(look);
    resized.observe(scroller);
    return () => {
      end.abort();
      resized.disconnect();
    };
  }, [list, session, rowSize, view]);
  return base;
}

/** Visual only: screen readers read each line's words from its single cell. */
function ColumnNames() {
  const { t } = useTexts();
  return (
    <div className="log-names" aria-hidden="true">
      <span>{t("activity.time")}</span>
      <span>{t("activity.status")}</span>
      <span>{`${t("activity.tool")} · ${t("activity.agent")}`}</span>
      <span>{t("activity.scope")}</span>
      <span>{`${t("activity.decided_by")} · ${t("activity.reason")}`}</span>
      <span>{t("activity.duration")}</span>
      <span>{t("activity.call_id")}</span>
    </div>
  );
}
