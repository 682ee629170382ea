import { useId, useRef } from "react";
import type { AskingProgram, LocalPairing, PairingView } from "../../app/bridge/agent-views.ts";
import { useAct, useSnapshot } from "../host-context.tsx";
import { PairingKey } from "../keys/agent-key.tsx";
import { useTexts } from "../language.tsx";
import { ManifestRemarks } from "../manifest/manifest-remarks.tsx";
import { KeyFingerprint, Lookalikes, NameMarkNote } from "../parts/agent-identity.tsx";
import { Fact } from "../parts/fact.tsx";
import { isLimited, NotAllowedNote } from "../parts/policy-limits.tsx";
import { NewAgentScopes, useScopeChoice } from "../parts/scope-picker.tsx";
import { useNow, wallClock } from "../parts/use-now.ts";
import { VisibleText } from "../parts/visible-text.tsx";
import { useAgentLabel } from "../text/agent-labels.ts";
import { timeLeft } from "../text/format.ts";

/** A card for every agent that waits to be connected. */
export function Pairings() {
  const { pairings } = useSnapshot();
  return pairings.map((pairing) => <PairingCard pairing={pairing} key={pairing.pairing_id} />);
}

function PairingCard({ pairing }: { readonly pairing: PairingView }) {
  const { t } = useTexts();
  const act = useAct();
  const id = useId();
  const choice = useScopeChoice(pairing.pairing_id, pairing.scopes);
  /** Not disabled meanwhile: the button would lose the keyboard. */
  const sent = useRef(false);
  const { local } = pairing;
  const answer = async (accept: boolean): Promise<void> => {
    if (sent.current) return;
    sent.current = true;
    const granted_scopes = accept ? [...choice.chosen] : [];
    const taken = await act("pairing.answer", {
      pairing_id: pairing.pairing_id,
      accept,
      granted_scopes,
    });
    if (!taken) sent.current = false;
  };
  return (
    <section className="card pairing-card" aria-labelledby={id} data-testid="pairing-card">
      <header className="section-head">
        <div className="pairing-head">
          <h2 id={id}>{local === null ? t("pairing.title") : t(`pairing.asks.${local.asks}`)}</h2>
          <span className="identity-name">
            <VisibleText text={pairing.name} />
          </span>
          <PairingSigns pairing={pairing} />
        </div>
        <TimeLeft expires_at={pairing.expires_at} />
      </header>
      <Lookalikes lookalikes={pairing.lookalikes} />
      {local === null ? null : <LocalPairingFacts local={local} name={pairing.name} />}
      {local?.shows_code === false ? null : (
        <div className="pairing-compare">
          <p>{t("pairing.compare")}</p>
          <output
            className="pairing-code"
            data-testid="pairing-code"
            aria-label={t("pairing.code_label")}
          >
            {pairing.code}
          </output>
        </div>
      )}
      <NotAllowedNote of={pairing} />
      <PairingKey pairingId={pairing.pairing_id} />
      <ManifestRemarks
        title={t("pairing.problems")}
        problems={pairing.problems}
        warnings={pairing.warnings}
      />
      {local?.asks === "other_program" ? null : (
        <NewAgentScopes
          scopes={pairing.scopes}
          choice={choice}
          testPrefix="pairing-scope"
          limited={local === null || isLimited(local)}
        />
      )}
      <div className="button-row">
        <button type="button" data-testid="pairing-refuse" onClick={() => void answer(false)}>
          {t("pairing.refuse")}
        </button>
        <button
          type="button"
          className="primary"
          data-testid="pairing-accept"
          disabled={pairing.problems.length > 0 || pairing.not_allowed}
          onClick={() => void answer(true)}
        >
          {local === null || local.asks === "connect" ? t("pairing.accept") : t("pairing.allow")}
        </button>
      </div>
    </section>
  );
}

/** Beside the name: what is odd about it, and the key that will stand there. */
function PairingSigns({ pairing: { pairing_id, name_mark } }: { readonly pairing: PairingView }) {
  const { keys } = useSnapshot();
  const fingerprint = keys.pairings.find((each) => each.pairing_id === pairing_id)?.fingerprint;
  return (
    <span className="pairing-signs">
      <NameMarkNote mark={name_mark} />
      {fingerprint === undefined ? null : <KeyFingerprint mark={{ kind: "known", fingerprint }} />}
    </span>
  );
}

function TimeLeft({ expires_at }: { readonly expires_at: number }) {
  const { t, language } = useTexts();
  const left = expires_at - useNow(wallClock, 1000);
  return (
    <p className="muted nowrap">
      {left <= 0
        ? t("pairing.expired")
        : t("pairing.time_left", { time: timeLeft(language, left) })}
    </p>
  );
}

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
