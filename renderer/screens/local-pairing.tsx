import type { AskingProgram, LocalPairing } from "../../app/bridge/pairing-views.ts";
import { isLimited } from "../agents/is-limited.ts";
import { useTexts } from "../language.tsx";
import { Fact } from "../parts/fact.tsx";
import { useAgentLabel } from "../parts/use-agent-labels.ts";
import { VisibleText } from "../parts/visible-text.tsx";

interface LocalPairingProps {
  readonly local: LocalPairing;
  readonly name: string;
}

/** Who asks on this computer: what it says of itself, and what the system says of it. */
export function LocalPairingFacts({ local, name }: LocalPairingProps) {
  const { t } = useTexts();
  const label = useAgentLabel(local.agent_id ?? "", name);
  return (
    <>
      {local.asks === "connect" ? <p className="muted">{t("pairing.claimed")}</p> : null}
      {local.asks === "other_program" ? (
        <p className="caution">{t("pairing.other_program_means", { agent: label })}</p>
      ) : null}
      {local.asks === "more_scopes" ? null : <ProgramFacts program={local.program} />}
      {local.asks === "connect" && !isLimited(local) ? (
        <p className="caution">{t("agents.delivery_means.hook")}</p>
      ) : null}
    </>
  );
}

function ProgramFacts({ program }: { readonly program: AskingProgram | null }) {
  const { t } = useTexts();
  if (program === null) return <p className="caution">{t("pairing.program.unknown")}</p>;
  const { pid, executable, started_by, folder, parents } = program;
  return (
    <dl className="facts" data-testid="pairing-program">
      {started_by === null ? null : (
        <Fact name={t("pairing.program.started_by")} text={started_by} />
      )}
      <Fact name={t("consent.command.program")} text={executable} />
      <Fact name={t("pairing.program.pid")} text={String(pid)} />
      {folder === null ? null : <Fact name={t("pairing.program.folder")} text={folder} />}
      {parents.length === 0 ? null : (
        <div>
          <dt>{t("pairing.program.parents")}</dt>
          <dd>
            {parents.map((parent) => (
              <div key={parent.pid}>
                <VisibleText text={`${parent.executable} (${parent.pid})`} />
              </div>
            ))}
          </dd>
        </div>
      )}
    </dl>
  );
}
