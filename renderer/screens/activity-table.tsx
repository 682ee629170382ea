import { useState } from "react";
import type { ActivityRow } from "../../app/bridge/views.ts";
import { scopeLabel, toolLabel } from "../../i18n/index.ts";
import { useTexts } from "../language.tsx";
import { StatusWord } from "../parts/status-word.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { errorCodeText, reasonText } from "../text/codes.ts";
import { dateTime, duration, shortTime } from "../text/format-time.ts";

const SHORT_CHARS = 10;

export function ActivityTable({ rows }: { readonly rows: readonly ActivityRow[] }) {
  const { t } = useTexts();
  return (
    <div className="table-frame">
      <table>
        <thead>
          <tr>
            <th scope="col">{t("activity.status")}</th>
            <th scope="col">{`${t("activity.tool")} · ${t("activity.agent")}`}</th>
            <th scope="col">{t("activity.scope")}</th>
            <th scope="col">{`${t("activity.decided_by")} · ${t("activity.reason")}`}</th>
            <th scope="col">{`${t("activity.time")} · ${t("activity.duration")}`}</th>
            <th scope="col">{`${t("activity.call_id")} · ${t("activity.digest")}`}</th>
            <th scope="col">
              <span className="unseen">{t("app.details")}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row row={row} key={row.line_id} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

function Row({ row }: { readonly row: ActivityRow }) {
  const { t, language } = useTexts();
  const [open, setOpen] = useState(false);
  const scope = { id: row.scope, label_i18n_key: "", label_fallback: null };
  return (
    <>
      <tr
        data-testid="activity-row"
        data-status={row.status}
        data-tool={row.tool_name}
        data-reason={row.reason ?? ""}
        data-decided-by={row.decided_by}
        data-call-id={row.call_id}
      >
        <td>
          <StatusWord status={row.status} />
        </td>
        <td>
          <VisibleText text={toolLabel(language, row.tool_name)} />
          <span className="muted">
            <VisibleText text={row.agent_name} />
          </span>
        </td>
        <td>
          <VisibleText text={scopeLabel(language, scope)} />
        </td>
        <td>
          {t(`decided_by.${row.decided_by}`)}
          <span className="muted">{reasonText(t, row.reason)}</span>
        </td>
        <td className="nowrap">
          <time dateTime={new Date(row.timestamp).toISOString()}>
            {shortTime(language, row.timestamp, Date.now())}
          </time>
          <span className="muted">
            {row.duration_ms === null ? null : duration(language, row.duration_ms)}
          </span>
        </td>
        <td className="mono">
          <VisibleText text={row.call_id.slice(0, SHORT_CHARS)} />
          <span className="muted">{row.arguments_digest.slice(0, SHORT_CHARS)}</span>
        </td>
        <td>
          <button
            type="button"
            className="quiet"
            data-testid="activity-details"
            aria-expanded={open}
            onClick={() => setOpen(!open)}
          >
            {open ? t("app.hide_details") : t("app.details")}
          </button>
        </td>
      </tr>
      {open ? <Details row={row} /> : null}
    </>
  );
}

function Details({ row }: { readonly row: ActivityRow }) {
  const { t, language } = useTexts();
  return (
    <tr className="details">
      <td colSpan={7}>
        <dl className="facts">
          <Fact name={t("activity.call_id")} text={row.call_id} />
          <Fact name={t("activity.digest")} text={row.arguments_digest} />
          <Fact name={t("activity.tool")} text={row.tool_name} />
          <Fact name={t("activity.scope")} text={row.scope} />
          <Fact name={t("activity.conversation")} text={row.conversation_id} />
          <Fact name={t("activity.time")} text={dateTime(language, row.timestamp)} />
          {row.error_code === null ? null : (
            <Fact
              name={t("activity.error_code")}
              text={`${errorCodeText(t, row.error_code)} (${row.error_code})`}
            />
          )}
        </dl>
      </td>
    </tr>
  );
}

function Fact({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="mono">
        <VisibleText text={text} />
      </dd>
    </div>
  );
}
