import { Button } from "react-aria-components";
import type { AgentDetails } from "../../app/bridge/agent-views.ts";
import type { AgentDifferences, ManifestDifference } from "../../app/bridge/manifest-views.ts";
import { useAct } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { ReadFailure } from "../parts/empty.tsx";
import { Fold } from "../parts/fold.tsx";
import { Icon } from "../parts/icon.tsx";
import { useRead } from "../parts/use-asked.ts";
import { VisibleText } from "../parts/visible-text.tsx";

/** For an agent with a new manifest: what changed, and a button to confirm that it was reviewed. */
export function ChangedNote({ agent }: { readonly agent: AgentDetails }) {
  const { t } = useTexts();
  const { agent_id, manifest_version } = agent;
  const act = useAct();
  // Another manifest has other differences.
  const { state, again } = useRead(`${agent_id} ${manifest_version}`, (bridge) =>
    bridge.call("agents.differences", { agent_id }),
  );
  return (
    <div className="changed" data-testid="agent-changed">
      <div className="grow">
        <strong>{t("agents.changed")}</strong>
        <p>{t("agents.changed_body", { version: manifest_version })}</p>
      </div>
      <Button
        data-testid="agent-mark-reviewed"
        onPress={() => void act("agents.mark_reviewed", { agent_id, manifest_version })}
      >
        {t("agents.mark_reviewed")}
      </Button>
      {state.kind === "failed" ? <ReadFailure code={state.code} onRetry={again} /> : null}
      {state.kind !== "found" ? (
        <p className="muted changed-details" role="status">
          {state.kind === "failed" ? null : t("agents.differences_loading")}
        </p>
      ) : (
        <Fold
          title={t("agents.differences", { count: state.found.in_all })}
          level={3}
          className="changed-details"
          testId="agent-differences"
        >
          <DifferenceList found={state.found} />
        </Fold>
      )}
    </div>
  );
}

/** Old and new side by side; what needs consent again comes first. */
function DifferenceList({ found }: { readonly found: AgentDifferences }) {
  const { t, gap } = useTexts();
  const { differences, in_all } = found;
  return (
    <div className="differences" data-testid="difference-list">
      {differences.map((difference) => (
        <Difference difference={difference} key={`${difference.subject} ${difference.id}`} />
      ))}
      {in_all > differences.length ? (
        <p className="muted">
          {t("agents.differences_more", { count: in_all - differences.length })}
        </p>
      ) : null}
      <p className="muted">
        {t("agents.reviewed_digest") + gap}
        <code>{found.reviewed_digest}</code>
        <br />
        {t("agents.present_digest") + gap}
        <code>{found.digest}</code>
      </p>
    </div>
  );
}

function Difference({ difference }: { readonly difference: ManifestDifference }) {
  const { t } = useTexts();
  const { subject, id, kind, breaking, members } = difference;
  return (
    <section className="difference" data-breaking={breaking}>
      <h4>
        {t(`agents.difference_of.${subject}`)}{" "}
        {id === "" ? null : <VisibleText within="code" text={id} />} ·{" "}
        {t(`agents.difference_kind.${kind}`)}
        {breaking ? (
          <span className="difference-breaking">
            <Icon name="high" />
            {t("agents.difference_breaking")}
          </span>
        ) : null}
      </h4>
      <table>
        <thead>
          <tr>
            <th scope="col">{t("agents.difference_member")}</th>
            <th scope="col">{t("agents.difference_before")}</th>
            <th scope="col">{t("agents.difference_after")}</th>
          </tr>
        </thead>
        <tbody>
          {members.map(({ member, before, after }) => (
            <tr key={member}>
              <VisibleText within="th" scope="row" text={member} />
              <td data-label={t("agents.difference_before")}>
                <Value text={before} />
              </td>
              <td data-label={t("agents.difference_after")}>
                <Value text={after} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Value({ text }: { readonly text: string | null }) {
  const { t } = useTexts();
  return text === null ? (
    <span className="muted">{t("manifest.no_value")}</span>
  ) : (
    <VisibleText within="code" text={text} />
  );
}
