import type { ReactNode, RefObject } from "react";
import { Button, Menu, MenuItem, MenuTrigger, Popover } from "react-aria-components";
import type { ConsentCard } from "../../app/bridge/consent-views.ts";
import { runsUnconfined } from "../../app/contract/consent-preview.ts";
import type { RuleSubject } from "../../app/contract/rule.ts";
import { type TextKey, toolLabel } from "../../i18n/index.ts";
import { useTexts } from "../language.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { ruleAbout, shortCommand } from "../text/rule-words.ts";
import { visibleString } from "../text/visible-text.ts";
import { CARD_KEYS } from "./answer-keys.ts";
import { ApproveButton, HoldButton } from "./approve-button.tsx";
import { CardEdge } from "./card-body.tsx";
import { DenyAndTell } from "./deny-and-tell.tsx";
import type { Lasts } from "./offers.ts";

interface AnswerRowProps {
  readonly card: ConsentCard;
  /** For how long the approval is. */
  readonly lasts: Lasts;
  /** How many requests are answered, where it is a list of them. */
  readonly count?: number;
  /** Of what says what the approval gives. */
  readonly describedBy: string;
  /** False: it can no longer be answered, not even denied (already sent, or out of time). */
  readonly open: boolean;
  /** False for 500 ms after anything moved. Denying is always possible. */
  readonly armed: boolean;
  /** The buttons' row: any movement disarms them. */
  readonly row: RefObject<HTMLDivElement | null>;
  /** Whether the card continues below the buttons, where it scrolls as a whole. */
  readonly below: boolean;
  /** The time left, above the buttons. */
  readonly children: ReactNode;
  readonly onAllow: () => void;
  readonly onDeny: (answer: "deny" | "always_deny", subject?: RuleSubject) => void;
  readonly onHold: (held: boolean) => void;
  /** Leaves it to the agent's own dialog. */
  readonly onThere: () => void;
  /** Denies it, and tells the agent something. */
  readonly onTell: (message: string) => void;
}

interface AnswerWords {
  readonly deny: TextKey;
  readonly allow: TextKey;
  readonly tell: TextKey;
}

const WORDS: AnswerWords = {
  deny: "consent.deny",
  allow: "consent.allow.once",
  tell: "consent.tell",
};

/** What a yes and a no are to a plan or a question of an agent's. */
const OWN_WORDS: Readonly<Record<string, AnswerWords>> = {
  approve_plan: {
    deny: "consent.plan.deny",
    allow: "consent.plan.allow",
    tell: "consent.plan.tell",
  },
  answer_question: {
    deny: "consent.choices.deny",
    allow: "consent.choices.allow",
    tell: "consent.choices.tell",
  },
};

export function AnswerRow(props: AnswerRowProps) {
  const { card, lasts, count, describedBy, open, armed, row, below, children } = props;
  const { t } = useTexts();
  const offers = (answer: "allow_once" | "always_deny"): boolean => card.answers.includes(answer);
  const words = OWN_WORDS[card.tool_name] ?? WORDS;
  // What is not high shows it where a denial says more.
  const always = <AlwaysDeny {...props} />;
  const Allow = runsUnconfined(card.preview) ? HoldButton : ApproveButton;
  const deny = (
    <button
      type="button"
      key="deny"
      data-key={CARD_KEYS.deny}
      aria-keyshortcuts={CARD_KEYS.deny}
      data-testid="consent-deny"
      aria-disabled={!open}
      onClick={() => open && props.onDeny("deny")}
    >
      {count === undefined ? t(words.deny) : t("consent.deny_count", { count })}
    </button>
  );
  const allow = offers("allow_once") ? (
    <Allow
      key="allow"
      shortcut={CARD_KEYS.allow}
      armed={open && armed}
      testId={`consent-allow-${lasts}`}
      describedBy={describedBy}
      className="primary"
      onApprove={props.onAllow}
      onHold={props.onHold}
    >
      {count !== undefined && lasts === "once"
        ? t("consent.allow_count", { count })
        : lasts === "once"
          ? t(words.allow)
          : t(`consent.allow.${lasts}`)}
    </Allow>
  ) : null;
  const quiet = (what: "always_deny" | "answer_there", run: () => void) => (
    <button
      type="button"
      className="quiet"
      data-testid={`consent-${what.replace("_", "-")}`}
      aria-disabled={!open}
      onClick={() => open && run()}
    >
      {t(`consent.${what}`)}
    </button>
  );
  return (
    <div className="answer-row" ref={row}>
      {below ? <CardEdge edge="below" /> : null}
      {children}
      <div className="apart">
        {offers("always_deny") ? always : null}
        {card.dialog_after ? quiet("answer_there", props.onThere) : null}
        <DenyAndTell
          request_id={card.request_id}
          name={t(words.tell)}
          open={open}
          onDeny={props.onTell}
        >
          {offers("always_deny") ? null : always}
        </DenyAndTell>
      </div>
      <div className="answer-now">
        {deniesFirst(navigator.platform) ? [deny, allow] : [allow, deny]}
      </div>
    </div>
  );
}

/** A rule for all that the tool does, or for what a command begins with. */
function AlwaysDeny({ card, count, open, onDeny }: AnswerRowProps) {
  const { t, language } = useTexts();
  const isWhole = card.answers.includes("always_deny");
  if (count !== undefined || card.deny_subjects.length === 0) {
    return isWhole ? (
      <button
        type="button"
        className="quiet"
        data-testid="consent-always-deny"
        aria-disabled={!open}
        onClick={() => open && onDeny("always_deny")}
      >
        {t("consent.always_deny")}
      </button>
    ) : null;
  }
  const named = (subject: RuleSubject): string =>
    subject.kind === "command"
      ? t("rules.about.command", { command: shortCommand(subject) })
      : ruleAbout(t, { subject });
  return (
    <MenuTrigger>
      <Button className="quiet" isDisabled={!open} data-testid="consent-always-deny">
        {t("consent.always_deny_which")}
      </Button>
      <Popover className="popover" placement="top start">
        <Menu className="options" aria-label={t("consent.always_deny")}>
          {card.deny_subjects.map((subject) => (
            <MenuItem
              key={JSON.stringify(subject)}
              data-testid="consent-deny-subject"
              onAction={() => onDeny("deny", subject)}
            >
              <VisibleText text={named(subject)} />
            </MenuItem>
          ))}
          {isWhole ? (
            <MenuItem data-testid="consent-deny-all" onAction={() => onDeny("always_deny")}>
              {t("consent.unasked.tool", {
                what: visibleString(toolLabel(language, card.tool_name)),
              })}
            </MenuItem>
          ) : null}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}

/** Windows puts the answer that does nothing last. @param platform of `navigator` */
export const deniesFirst = (platform: string): boolean => !/^win/i.test(platform);
