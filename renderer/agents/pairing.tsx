import { useEffect, useId, useRef, useState } from "react";
import type { AskingProgram, PairingView } from "../../app/bridge/agent-views.ts";
import type { HookWay } from "../../app/contract/hook-way.ts";
import { LIMITS } from "../../app/contract/limits.ts";
import { useAct, useSnapshot } from "../host-context.tsx";
import { PairingKey } from "../keys/agent-key.tsx";
import { useTexts } from "../language.tsx";
import { ManifestRemarks } from "../manifest/manifest-remarks.tsx";
import { KeyFingerprint, Lookalikes, NameMarkNote } from "../parts/agent-identity.tsx";
import { Fact } from "../parts/fact.tsx";
import { Fold } from "../parts/fold.tsx";
import { isLimited, NotAllowedNote } from "../parts/policy-limits.tsx";
import { isAnyTicked, NewAgentScopes, useScopeChoice } from "../parts/scope-picker.tsx";
import { keptState } from "../state/kept-state.ts";
import { useAgentLabel } from "../text/agent-labels.ts";
import { visibleString } from "../text/visible-text.ts";
import { HookWayField, WaysField } from "./hook-way-field.tsx";

const useHookWay = keptState<HookWay>();
const useMerging = keptState<boolean>();

interface PairingsProps {
  /** The sample agent has been let in. */
  readonly onSample?: () => void;
}

export function Pairings({ onSample = () => {} }: PairingsProps) {
  const { pairings, sample_agent } = useSnapshot();
  return pairings.map((pairing) => {
    const isSample = pairing.local === null && pairing.code === sample_agent.code;
    return (
      <PairingCard
        pairing={pairing}
        isSample={isSample}
        onSample={onSample}
        // That it is ours may become known after it has asked: then it is another question.
        key={`${pairing.pairing_id} ${isSample}`}
      />
    );
  });
}

interface PairingCardProps extends Required<PairingsProps>, MeaningProps {}

function PairingCard({ pairing, isSample, onSample }: PairingCardProps) {
  const { t } = useTexts();
  const act = useAct();
  const id = useId();
  const { local } = pairing;
  const isWhole = local !== null || isSample;
  const ticked = isWhole ? isAnyTicked : undefined;
  const choice = useScopeChoice(pairing.pairing_id, pairing.scopes, ticked);
  const isArmed = useHasStood(LIMITS.approvalInertMs);
  const [way, setWay] = useHookWay(pairing.pairing_id, "ask_here");
  const [merge, setMerge] = useMerging(pairing.pairing_id, false);
  /** Not disabled meanwhile: the button would lose the keyboard. */
  const sent = useRef(false);
  const answer = async (accept: boolean): Promise<void> => {
    if (sent.current) return;
    sent.current = true;
    if (accept && isSample) onSample();
    const granted_scopes = accept ? [...choice.chosen] : [];
    const { pairing_id } = pairing;
    // One program may ask for its tools and for its hooks at once.
    const more = local?.asks === "connect" ? { hook_way: way, ...(merge ? { merge } : {}) } : {};
    const taken = await act("pairing.answer", { pairing_id, accept, granted_scopes, ...more });
    if (!taken) sent.current = false;
  };
  const scopes =
    local?.asks === "other_program" ? null : (
      <NewAgentScopes
        scopes={pairing.scopes}
        choice={choice}
        testPrefix="pairing-scope"
        limited={local === null || isLimited(local)}
        allTicked={isWhole}
      />
    );
  const isFolded = isSample || local?.asks === "connect";
  return (
    <section className="pairing-card" aria-labelledby={id} data-testid="pairing-card">
      <header>
        <p className="muted">
          {local === null || local.asks === "connect"
            ? t("pairing.wants")
            : t(`pairing.asks.${local.asks}`)}
        </p>
        <h2 id={id}>
          {local === null || local.asks === "connect"
            ? t("pairing.title", { agent: visibleString(pairing.name) })
            : visibleString(pairing.name)}
          <NameMarkNote mark={pairing.name_mark} />
        </h2>
      </header>
      <Lookalikes lookalikes={pairing.lookalikes} />
      <Meaning pairing={pairing} isSample={isSample} />
      <NotAllowedNote of={pairing} />
      <ManifestRemarks title={t("pairing.problems")} problems={pairing.problems} warnings={[]} />
      {isFolded ? null : scopes}
      {local === null || local.same_as === null ? null : (
        <MergeField into={local.same_as} name={pairing.name} merge={merge} onChange={setMerge} />
      )}
      {local?.asks === "connect" && local.delivery === "hook" && !merge ? (
        <HookWayField way={way} onChange={setWay} />
      ) : null}
      <Fold level={3} title={t("pairing.details")} testId="pairing-details">
        <PairingFacts pairing={pairing} isSample={isSample} />
        <ManifestRemarks title="" problems={[]} warnings={pairing.warnings} />
        {isFolded ? scopes : null}
      </Fold>
      <div className="button-row">
        <button type="button" data-testid="pairing-refuse" onClick={() => void answer(false)}>
          {t("pairing.refuse")}
        </button>
        <button
          type="button"
          className="primary"
          data-testid="pairing-accept"
          disabled={pairing.problems.length > 0 || pairing.not_allowed}
          aria-disabled={!isArmed}
          onClick={() => isArmed && void answer(true)}
        >
          {local === null || local.asks === "connect" ? t("pairing.accept") : t("pairing.allow")}
        </button>
      </div>
    </section>
  );
}

/** A request that has just appeared cannot be accepted: somebody may be clicking there. */
function useHasStood(ms: number): boolean {
  const [hasStood, setStood] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setStood(true), ms);
    return () => clearTimeout(timer);
  }, [ms]);
  return hasStood;
}

interface MergeFieldProps {
  /** The agent that it can be merged with. */
  readonly into: string;
  readonly name: string;
  readonly merge: boolean;
  readonly onChange: (merge: boolean) => void;
}

/** Whether a program that is an agent already becomes another one; that is preset, and gives nothing. */
function MergeField({ into, name, merge, onChange }: MergeFieldProps) {
  const { t } = useTexts();
  const agent = useAgentLabel(into, name);
  return (
    <WaysField
      title={t("pairing.merge.title")}
      ways={(["no", "yes"] as const).map((word) => ({
        word,
        name: t(`pairing.merge.${word}`, { agent }),
        means: t(`pairing.merge.${word}_means`),
      }))}
      chosen={merge ? "yes" : "no"}
      onChange={(word) => onChange(word === "yes")}
      testId="pairing-merge"
    />
  );
}

interface MeaningProps {
  readonly pairing: PairingView;
  readonly isSample: boolean;
}

/** What connecting it means, in one sentence; for an agent of the hub, how to know that it is the right one. */
function Meaning({ pairing: { local, code, name }, isSample }: MeaningProps) {
  const { t, gap } = useTexts();
  const label = useAgentLabel(local?.agent_id ?? "", name);
  if (isSample) return <p>{t("pairing.means.sample")}</p>;
  if (local === null) {
    return (
      <div className="pairing-compare">
        <p>{t("pairing.compare")}</p>
        <PairingCode code={code} />
      </div>
    );
  }
  if (local.asks === "more_scopes") return null;
  if (local.asks === "other_program") {
    return <p className="caution">{t("pairing.other_program_means", { agent: label })}</p>;
  }
  const folder = local.program?.folder ?? null;
  return (
    <p>
      {folder === null ? null : t("pairing.works_in", { folder: visibleString(folder) }) + gap}
      {t(`pairing.means.${local.delivery}`)}
    </p>
  );
}

function PairingCode({ code }: { readonly code: string }) {
  const { t } = useTexts();
  return (
    <output
      className="pairing-code"
      data-testid="pairing-code"
      aria-label={t("pairing.code_label")}
    >
      {code}
    </output>
  );
}

/** What tells it from others: its key, or its code and what the system says of the program. */
function PairingFacts({ pairing: { pairing_id, local, code }, isSample }: MeaningProps) {
  const { t } = useTexts();
  const { keys } = useSnapshot();
  const fingerprint = keys.pairings.find((each) => each.pairing_id === pairing_id)?.fingerprint;
  return (
    <>
      {fingerprint === undefined ? null : <KeyFingerprint mark={{ kind: "known", fingerprint }} />}
      <PairingKey pairingId={pairing_id} />
      {local === null || local.asks === "more_scopes" ? null : (
        <ProgramFacts program={local.program} />
      )}
      {isSample || local?.shows_code ? (
        <p className="muted">
          {t("pairing.client_code")} <PairingCode code={code} />
        </p>
      ) : null}
      {local?.delivery === "hook" ? (
        <p className="caution">{t("agents.delivery_means.hook")}</p>
      ) : null}
    </>
  );
}

function ProgramFacts({ program }: { readonly program: AskingProgram | null }) {
  const { t } = useTexts();
  if (program === null) return <p className="caution">{t("pairing.program.unknown")}</p>;
  const { pid, executable, started_by, folder, parents } = program;
  const chain = parents.map((parent) => `${parent.executable} (${parent.pid})`).join(" ← ");
  return (
    <dl className="facts" data-testid="pairing-program">
      {started_by === null ? null : (
        <Fact name={t("pairing.program.started_by")} text={started_by} />
      )}
      <Fact name={t("consent.command.program")} text={executable} />
      <Fact name={t("pairing.program.pid")} text={String(pid)} />
      {folder === null ? null : <Fact name={t("pairing.program.folder")} text={folder} />}
      {chain === "" ? null : <Fact name={t("pairing.program.parents")} text={chain} />}
    </dl>
  );
}
