import { type ReactNode, type RefObject, useId, useState } from "react";
import type { ConsentCard } from "../../app/bridge/consent-views.ts";
import { runsUnconfined } from "../../app/contract/consent-preview.ts";
import { ANSWERS, type Answer } from "../../app/contract/consent-request.ts";
import { hostText } from "../../app/contract/network-host.ts";
import type { RootTime } from "../../app/contract/rule.ts";
import type { CallTarget } from "../../app/contract/target/target.ts";
import { toolLabel } from "../../i18n/index.ts";
import { useTexts } from "../language.tsx";
import { visibleString } from "../text/visible-text.ts";
import { keyOf, knowsAnswers } from "./answer-keys.ts";
import { approvalName, quietWords } from "./answer-words.ts";
import { ApproveButton, HoldButton } from "./approve-button.tsx";
import { CardEdge } from "./card-body.tsx";
import { scopeOf } from "./card-facts.tsx";
import { DenyAndTell } from "./deny-and-tell.tsx";

interface AnswerButtonsProps {
  readonly card: ConsentCard;
  readonly target: CallTarget;
  /** How long the folder or file stays given that any approval gives; null: none is given. */
  readonly opened: RootTime | null;
  /** False: it can no longer be answered, not even denied (already sent, or out of time). */
  readonly open: boolean;
  /** False for 500 ms after anything moved. Denying is always possible. */
  readonly armed: boolean;
  /** The buttons' row: any movement disarms them. */
  readonly row: RefObject<HTMLDivElement | null>;
  /** Whether the card continues below the buttons, where it scrolls as a whole. */
  readonly below: boolean;
  readonly onAnswer: (answer: Answer) => void;
  readonly onHold: (held: boolean) => void;
  /** Leaves it to the agent's own dialog. */
  readonly onThere: () => void;
  /** Denies it, and tells the agent something. */
  readonly onTell: (message: string) => void;
}

const LASTING_APPROVALS = [
  { answer: "allow_in_conversation", testId: "consent-allow-conversation", className: "" },
  { answer: "allow_scope_in_conversation", testId: "consent-allow-scope", className: "wider" },
] as const;

/** What each answer does, in words, and the buttons, with those of lasting effect set apart. */
export function AnswerButtons({
  card,
  target,
  opened,
  open,
  armed,
  row,
  below,
  onAnswer,
  onHold,
  onThere,
  onTell,
}: AnswerButtonsProps) {
  const { t, language, gap } = useTexts();
  const id = useId();
  const offers = (answer: Answer): boolean => card.answers.includes(answer);
  const tool = visibleString(toolLabel(language, card.tool_name));
  const scope = visibleString(scopeOf(language, card));
  const isHeld = runsUnconfined(card.preview);
  const AllowOnce = isHeld ? HoldButton : ApproveButton;
  const subject = approvalName(target);
  const quiet = card.subject === null ? null : quietWords(t, card.subject, scope, card.folders);
  const names: Readonly<Record<Answer, string>> = {
    deny: t("consent.deny"),
    allow_once:
      subject === null
        ? t("consent.allow_once")
        : t(`consent.allow_once_of.${subject.kind}`, { name: subject.name }),
    allow_in_conversation: quiet?.here.name ?? "",
    allow_scope_in_conversation: quiet?.wider?.name ?? "",
    always_deny: t("consent.always_deny", { tool }),
  };
  const does: Readonly<Record<Answer, string>> = {
    deny: t("consent.deny_does"),
    allow_once: [
      t(isHeld ? "consent.hold.does" : "consent.allow_once_does"),
      ...(opened !== null && opened !== "once" ? [t("consent.opened_stays")] : []),
    ].join(gap),
    allow_in_conversation: [
      quiet?.here.does ?? "",
      ...(opened !== null && opened !== "always" ? [t("consent.opened_ends")] : []),
    ].join(gap),
    allow_scope_in_conversation: quiet?.wider?.does ?? "",
    always_deny: t("consent.always_deny_does"),
  };
  const deny = (
    <button
      type="button"
      key="deny"
      data-key={keyOf("deny")}
      aria-keyshortcuts={keyOf("deny")}
      data-testid="consent-deny"
      aria-describedby={`${id}-deny`}
      aria-disabled={!open}
      onClick={() => open && onAnswer("deny")}
    >
      {names.deny}
    </button>
  );
  const allow = offers("allow_once") ? (
    <AllowOnce
      key="allow_once"
      answer="allow_once"
      armed={open && armed}
      testId="consent-allow-once"
      describedBy={`${id}-allow_once`}
      className="primary"
      onApprove={() => onAnswer("allow_once")}
      onHold={onHold}
    >
      {names.allow_once}
    </AllowOnce>
  ) : null;
  return (
    <div className="answers">
      <AnswersExplained>
        {ANSWERS.filter(offers).map((answer) => (
          <div key={answer}>
            <dt>{names[answer]}</dt>
            <dd id={`${id}-${answer}`}>
              {does[answer]}
              {answer === "allow_in_conversation" && card.host_wanted !== null
                ? gap + t("consent.host_stays", { host: visibleString(hostText(card.host_wanted)) })
                : null}
            </dd>
          </div>
        ))}
      </AnswersExplained>
      <div className="answer-row" ref={row}>
        {below ? <CardEdge edge="below" /> : null}
        <div className="apart">
          {LASTING_APPROVALS.filter(({ answer }) => offers(answer)).map(({ answer, ...looks }) => (
            <ApproveButton
              key={answer}
              answer={answer}
              armed={open && armed}
              describedBy={`${id}-${answer}`}
              onApprove={() => onAnswer(answer)}
              {...looks}
            >
              {names[answer]}
            </ApproveButton>
          ))}
          {offers("always_deny") ? (
            <button
              type="button"
              data-answer="always_deny"
              data-key={keyOf("always_deny")}
              aria-keyshortcuts={keyOf("always_deny")}
              data-testid="consent-always-deny"
              aria-describedby={`${id}-always_deny`}
              aria-disabled={!open}
              onClick={() => open && onAnswer("always_deny")}
            >
              {names.always_deny}
            </button>
          ) : null}
        </div>
        {card.dialog_after ? (
          <button
            type="button"
            className="quiet"
            aria-disabled={!open}
            data-testid="consent-answer-there"
            onClick={() => open && onThere()}
          >
            {t("consent.answer_there")}
          </button>
        ) : null}
        <DenyAndTell request_id={card.request_id} open={open} onDeny={onTell} />
        <div className="answer-now">
          {deniesFirst(navigator.platform) ? [deny, allow] : [allow, deny]}
        </div>
      </div>
    </div>
  );
}

/**
 * Whether the system's own dialogs put the answer that does nothing first: on Windows it comes
 * after the others, elsewhere before. @param platform as in `navigator.platform`
 */
export const deniesFirst = (platform: string): boolean => !/^win/i.test(platform);

/** What each answer does; folded away once the person has answered often. */
function AnswersExplained({ children }: { readonly children: ReactNode }) {
  const { t } = useTexts();
  const [folds] = useState(knowsAnswers);
  const explained = (
    <dl className="grants" aria-label={t("consent.grants")}>
      {children}
    </dl>
  );
  if (!folds) return explained;
  return (
    <details className="grants-fold" data-testid="consent-grants">
      <summary>{t("consent.grants")}</summary>
      {explained}
    </details>
  );
}
