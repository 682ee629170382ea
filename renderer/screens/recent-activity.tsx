import { callAddress } from "../activity/call-address.ts";
import { useHost, useShown } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { CallWords } from "../parts/call-words.tsx";
import { ReadFailure } from "../parts/read-failure.tsx";
import { StatusWord } from "../parts/status-word.tsx";
import { useAgentLabels } from "../parts/use-agent-labels.ts";
import { VisibleText } from "../parts/visible-text.tsx";
import { readRecent } from "../state/read-recent.ts";
import { labelOf } from "../text/agent-labels.ts";
import { whyText } from "../text/codes.ts";
import { shortTime } from "../text/format-time.ts";

export function RecentActivity() {
  const { t, language } = useTexts();
  const labels = useAgentLabels();
  const rows = useShown((shown) => shown.recent);
  const { bridge, store } = useHost();
  const failure = useShown((shown) => shown.failures.recent);
  if (failure !== null) {
    return <ReadFailure code={failure} onRetry={() => void readRecent(bridge, store)} />;
  }
  if (rows === null) {
    return (
      <p className="muted" role="status">
        {t("activity.loading")}
      </p>
    );
  }
  if (rows.length === 0) return <p className="muted">{t("home.no_recent")}</p>;
  return (
    <ul className="rows recent">
      {rows.map((row) => (
        <li className="row" key={row.line_id}>
          <StatusWord status={row.status} />
          <span className="grow">
            <a
              href={callAddress(row.agent_id, row.call_id)}
              className="call-link"
              data-testid="recent-call"
            >
              <CallWords call={row} />
            </a>
            <span className="muted">
              <VisibleText text={labelOf(labels, row.agent_id, row.agent_name)} />
              {row.reason === null ? "" : ` · ${whyText(t, row)}`}
            </span>
          </span>
          <time className="muted" dateTime={new Date(row.timestamp).toISOString()}>
            {shortTime(language, row.timestamp, Date.now())}
          </time>
        </li>
      ))}
    </ul>
  );
}
