import { useRef } from "react";
import { Button } from "react-aria-components";
import { useShown } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { useKeptFocus } from "../parts/use-kept-focus.ts";
import { dateTime } from "../text/format.ts";
import { type LogSession, type LogState, MOST_ROWS } from "./log-session.ts";

interface LogFootProps {
  readonly session: LogSession;
  readonly state: LogState;
  /** Shows the lines before this time, in milliseconds since the epoch. */
  readonly onOlder: (to: number) => void;
}

/** The state of reading the log, and what the person can do about it. */
export function LogFoot(props: LogFootProps) {
  const foot = useRef<HTMLDivElement>(null);
  useKeptFocus(foot, false);
  return (
    <div className="log-foot" ref={foot} tabIndex={-1}>
      <p role="status">
        <FootWords {...props.state} />
      </p>
      <FootButton {...props} />
    </div>
  );
}

function FootWords({ next, phase, reached, failure }: LogState) {
  const { t, language } = useTexts();
  const policy = useShown(({ snapshot }) => snapshot?.policy ?? null);
  const managed = policy?.state === "applied" ? policy.retention_days : null;
  const time = reached === null ? null : dateTime(language, reached);
  switch (phase) {
    case "idle":
      if (next !== null) return null;
      return managed === null
        ? t("activity.log_begins")
        : t("policy.log_begins", { days: String(managed) });
    case "reading":
      return t("activity.loading");
    case "searching":
      return time === null ? t("activity.searching") : t("activity.searching_to", { time });
    case "stopped":
      return time === null ? t("activity.stopped") : t("activity.stopped_at", { time });
    case "failed":
      return failure === null ? null : t(`bridge_error.${failure}`);
  }
}

function FootButton({ session, state: { rows, next, phase }, onOlder }: LogFootProps) {
  const { t } = useTexts();
  const button = (what: string, words: string, run: () => void) => (
    <Button data-testid={`activity-${what}`} key={what} onPress={run}>
      {words}
    </Button>
  );
  switch (phase) {
    case "searching":
      return button("stop", t("activity.stop_search"), () => session.stopSearch());
    case "stopped":
      return button("resume", t("activity.resume_search"), () => session.resume());
    case "failed":
      return button("retry", t("app.try_again"), () => session.resume());
    case "idle": {
      const last = rows.at(-1);
      if (last === undefined || rows.length < MOST_ROWS || next === null) return null;
      // Its end is exclusive, and other lines may be of the same moment.
      return button("older", t("activity.older"), () => onOlder(last.timestamp + 1));
    }
    case "reading":
      return null;
  }
}
