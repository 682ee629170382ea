import { useId, useState } from "react";
import type { ConsentCard } from "../../app/bridge/consent-views.ts";
import type { Answer } from "../../app/contract/consent-request.ts";
import { hostText } from "../../app/contract/network-host.ts";
import { RULE_TIMES, type RuleSubject, type RuleTime } from "../../app/contract/rule.ts";
import { useTexts } from "../language.tsx";
import { Choice } from "../parts/choice.tsx";
import { keptState } from "../state/kept-state.ts";
import { ruleAbout } from "../text/rule-words.ts";
import { visibleString } from "../text/visible-text.ts";
import { ApproveButton } from "./approve-button.tsx";

const useChosen = keptState<string>();
const useTime = keptState<RuleTime>();

/** From which request of a kind on a rule is offered. */
const OFFERED_FROM = 3;

export interface OfferedRule {
  readonly subject: RuleSubject;
  readonly time: RuleTime;
}

interface RuleOfferProps {
  readonly card: Pick<
    ConsentCard,
    "request_id" | "alike" | "rule_subjects" | "answers" | "root_wanted" | "host_wanted"
  >;
  readonly open: boolean;
  readonly armed: boolean;
  readonly onAnswer: (answer: Answer, rule: OfferedRule) => void;
}

/** Folded away: this answer as a rule for the next requests, the narrowest first. */
export function RuleOffer({ card, open, armed, onAnswer }: RuleOfferProps) {
  const { t, gap } = useTexts();
  const id = useId();
  const [chosen, setChosen] = useChosen(card.request_id, "0");
  const [time, setTime] = useTime(card.request_id, "today");
  /** As it was when the card was opened: nothing may appear in it later and move its buttons. */
  const [{ alike, root_wanted }] = useState(card);
  const subject = card.rule_subjects[Number(chosen)];
  const isOffered = alike >= OFFERED_FROM && root_wanted === null;
  if (!isOffered || subject === undefined) return null;
  const rule = { subject, time };
  return (
    <details className="rule-offer" data-testid="rule-offer">
      <summary>{t("rules.offer.title")}</summary>
      <p className="muted">{t("rules.offer.lede", { count: alike })}</p>
      <div className="rule-offer-choices">
        <Choice
          className="field"
          label={t("rules.field.covers")}
          chosen={chosen}
          options={card.rule_subjects.map((each, index) => ({
            word: String(index),
            label: visibleString(ruleAbout(t, each)),
          }))}
          onChoose={setChosen}
          testId="rule-offer-subject"
        />
        <Choice
          className="field"
          label={t("rules.field.time")}
          chosen={time}
          options={RULE_TIMES.map((word) => ({ word, label: t(`rules.time.${word}`) }))}
          onChoose={setTime}
          testId="rule-offer-time"
        />
      </div>
      <p className="muted" id={`${id}-does`}>
        {t("rules.offer.does")}
        {card.host_wanted === null
          ? null
          : gap + t("consent.host_stays", { host: visibleString(hostText(card.host_wanted)) })}
      </p>
      <div className="button-row">
        <button
          type="button"
          data-testid="rule-offer-deny"
          aria-describedby={`${id}-does`}
          aria-disabled={!open}
          onClick={() => open && onAnswer("deny", rule)}
        >
          {t("rules.offer.deny")}
        </button>
        <ApproveButton
          answer={null}
          armed={open && armed}
          testId="rule-offer-allow"
          describedBy={`${id}-does`}
          className=""
          onApprove={() => onAnswer("allow_once", rule)}
        >
          {t("rules.offer.allow")}
        </ApproveButton>
      </div>
    </details>
  );
}
