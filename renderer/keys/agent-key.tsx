import { useId, useState } from "react";
import { Button } from "react-aria-components";
import type { AgentKeyView, SafetyView } from "../../app/bridge/agent-views.ts";
import { useAct, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Fold } from "../parts/fold.tsx";
import { Icon } from "../parts/icon.tsx";
import { Tick } from "../parts/tick.tsx";

export function AgentKey({ agentId }: { readonly agentId: string }) {
  const { keys } = useSnapshot();
  const key = keys.agents.find(({ agent_id }) => agent_id === agentId);
  if (key === undefined) return null;
  return (
    <>
      {key.changed === null ? null : (
        // What was said of one number is not said of the next.
        <ChangedKey agentId={agentId} safety={key.changed} key={key.changed.digits} />
      )}
      <LedgerTrouble keyView={key} />
      {key.changed === null ? <KnownKey keyView={key} /> : null}
    </>
  );
}

function KnownKey({ keyView }: { readonly keyView: AgentKeyView }) {
  const { t } = useTexts();
  const act = useAct();
  const { agent_id, level, verified, safety } = keyView;
  const verify = (next: boolean) =>
    void act("keys.verify", { agent_id, digits: safety.digits, verified: next });
  return (
    <Fold
      title={`${t(`keys.level.${level}`)} · ${t(verified ? "keys.verified" : "keys.unverified")}`}
      level={3}
      icon={verified ? "low" : "note"}
      className="key-facts"
      data-testid="agent-key"
      data-verified={verified}
    >
      <p>{t(`keys.level_means.${level}`)}</p>
      <p>{t("keys.compare")}</p>
      <SafetyNumber safety={safety} />
      <div className="button-row">
        {verified ? (
          <Button data-testid="key-unverify" onPress={() => verify(false)}>
            {t("keys.unverify")}
          </Button>
        ) : (
          <Button data-testid="key-verify" onPress={() => verify(true)}>
            {t("keys.verify")}
          </Button>
        )}
      </div>
    </Fold>
  );
}

/** Nothing of the agent runs until the person has read this and accepts the key. */
function ChangedKey({ agentId, safety }: Readonly<{ agentId: string; safety: SafetyView }>) {
  const { t } = useTexts();
  const act = useAct();
  const id = useId();
  const [compared, setCompared] = useState(false);
  return (
    <section className="key-changed" role="alert" aria-labelledby={id} data-testid="key-changed">
      <h3 id={id}>
        <Icon name="high" /> {t("keys.changed_title")}
      </h3>
      <p>{t("keys.changed_body")}</p>
      <SafetyNumber safety={safety} />
      <Tick className="key-consent" on={compared} onChange={setCompared} testId="key-compared">
        <span>{t("keys.changed_compared")}</span>
      </Tick>
      <div className="button-row">
        <button
          type="button"
          data-testid="key-accept"
          disabled={!compared}
          onClick={() => void act("keys.accept", { agent_id: agentId, digits: safety.digits })}
        >
          {t("keys.accept")}
        </button>
      </div>
    </section>
  );
}

function LedgerTrouble({ keyView: { ledger } }: { readonly keyView: AgentKeyView }) {
  const { t } = useTexts();
  if (ledger === "in_step") return null;
  return (
    <p className="key-changed" role="status" data-testid="ledger-trouble" data-ledger={ledger}>
      <Icon name={ledger === "unchecked" ? "note" : "high"} /> {t(`keys.ledger.${ledger}`)}
    </p>
  );
}

/** What both ends compare, as digits or words; each form is complete. */
function SafetyNumber({ safety }: { readonly safety: SafetyView }) {
  const { t } = useTexts();
  const [asWords, setAsWords] = useState(false);
  const id = useId();
  const parts = (asWords ? safety.words : safety.digits).split(" ");
  return (
    <div className="safety">
      <p className="safety-label" id={id}>
        {t(asWords ? "keys.words" : "keys.digits")}
      </p>
      {/* English in every interface language, and read from left to right. */}
      <ol
        className={asWords ? "safety-words" : "safety-digits"}
        aria-labelledby={id}
        data-testid="safety-number"
        dir="ltr"
        lang="en"
      >
        {parts.map((part, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: groups may repeat, and never move
          <li key={at}>{part}</li>
        ))}
      </ol>
      <Button className="quiet" data-testid="safety-form" onPress={() => setAsWords(!asWords)}>
        {t(asWords ? "keys.show_digits" : "keys.show_words")}
      </Button>
    </div>
  );
}

/** The number is folded: the hub is this program's own, and the code above is enough there. */
export function PairingKey({ pairingId }: { readonly pairingId: string }) {
  const { t } = useTexts();
  const { keys } = useSnapshot();
  const key = keys.pairings.find(({ pairing_id }) => pairing_id === pairingId);
  if (key === undefined) return null;
  return (
    <div className="key-facts" data-testid="pairing-key">
      <p className="muted">{t(`keys.level_means.${key.level}`)}</p>
      <Fold title={t("keys.pairing_elsewhere")} level={3} testId="pairing-elsewhere">
        <p>{t("keys.pairing")}</p>
        <SafetyNumber safety={key.safety} />
      </Fold>
    </div>
  );
}
