import { type RefObject, useId, useMemo, useRef, useState } from "react";
import { shownName } from "../../app/bridge/agent-views.ts";
import type { CallArgs } from "../../app/bridge/calls.ts";
import type { BridgeErrorCode } from "../../app/bridge/client-bridge.ts";
import type { ConsentCard } from "../../app/bridge/consent-views.ts";
import type { GivenAnswers } from "../../app/contract/asked-questions.ts";
import { assertNever } from "../../app/contract/assert-never.ts";
import { runsUnconfined } from "../../app/contract/consent-preview.ts";
import type { Answer } from "../../app/contract/consent-request.ts";
import type { RuleSubject } from "../../app/contract/rule.ts";
import { callTarget } from "../../app/contract/target/call-target.ts";
import { useTexts } from "../language.tsx";
import { AgentName, AgentPicture } from "../parts/agent-identity.tsx";
import { Icon } from "../parts/icon.tsx";
import type { FolderHelp } from "../parts/path-field.tsx";
import type { ReceivedCard } from "../state/store.ts";
import { targetHeard } from "../text/target-words.ts";
import { visibleString } from "../text/visible-text.ts";
import { CARD_KEYS, type CardKey, useAnswerKeys } from "./answer-keys.ts";
import { AnswerRow } from "./answer-row.tsx";
import { useArmed } from "./approve-button.tsx";
import { CardBlock } from "./card-block.tsx";
import { CardBody } from "./card-body.tsx";
import { CardQuestion } from "./card-question.tsx";
import { useCardReading, useSeenOnce } from "./card-reading.ts";
import { nextTime, Terms, useCardTerms } from "./card-terms.tsx";
import { Announcement, CountdownBar, useTimeOver } from "./countdown-bar.tsx";
import type { GivenRoot, OfferedRule } from "./offers.ts";
import { QuestionFields, useAnswering } from "./question-fields.tsx";

type GroupAnswer = CallArgs<"consent.answer_group">["answers"][number];

export interface ConsentActions {
  /** False if the host could not be told. */
  opened(request_id: string): Promise<boolean>;
  /** The person reads the card: its countdown stands still for a moment. */
  reading(request_id: string): void;
  /** The end of what the card shows was in sight. False if the host could not be told. */
  read(request_id: string): Promise<boolean>;
  /** The button that allows it is held down, or was let go. */
  held(request_id: string, held: boolean): void;
  /** The error, or null if the host accepted the answer. */
  answer(
    request_id: string,
    answer: Answer,
    root?: GivenRoot,
    rule?: OfferedRule,
    chosen?: GivenAnswers,
  ): Promise<BridgeErrorCode | null>;
  /** Leaves it to the agent's own dialog; resolves as `answer`. */
  answerThere(request_id: string): Promise<BridgeErrorCode | null>;
  /** A denial, with words for the agent; resolves as `answer`. */
  denyAndTell(request_id: string, message: string): Promise<BridgeErrorCode | null>;
  /** Answers several requests, all of one agent; resolves as `answer`. */
  answerGroup(answers: readonly GroupAnswer[]): Promise<BridgeErrorCode | null>;
  readonly folderHelp: FolderHelp;
}

interface ConsentCardProps {
  readonly received: ReceivedCard;
  /** Among those that wait. */
  readonly position: number;
  readonly total: number;
  readonly connected: boolean;
  readonly actions: ConsentActions;
}

export function ConsentCardView(props: ConsentCardProps) {
  const { received, actions, connected } = props;
  const { card } = received;
  const texts = useTexts();
  const { t } = texts;
  const id = useId();
  const element = useRef<HTMLElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const buttons = useRef<HTMLDivElement>(null);
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<BridgeErrorCode | null>(null);
  const terms = useCardTerms(card);
  const answering = useAnswering(card);
  const [seen, setSeen] = useState(false);
  const armed = useArmed(buttons, seen);
  const over = useTimeOver(received);
  const reading = useCardReading(card, { element, body, seen }, actions);
  useSeenOnce(
    element,
    async () => {
      const told = await actions.opened(card.request_id);
      setSeen(told);
      return told;
    },
    connected,
  );

  const open = connected && !sending && !over;
  const send = async (sent: () => Promise<BridgeErrorCode | null>): Promise<void> => {
    if (!open) return;
    setSending(true);
    const failure = await sent();
    setProblem(failure);
    // An accepted answer removes the card; until then, nothing more can be pressed.
    if (failure !== null) setSending(false);
  };
  const deny = (chosen: "deny" | "always_deny", subject?: RuleSubject): Promise<void> => {
    const { request_id } = card;
    if (subject === undefined) return send(() => actions.answer(request_id, chosen));
    const rule: OfferedRule = { subject, time: "always" };
    return send(() => actions.answer(request_id, chosen, undefined, rule));
  };
  const allow = (): Promise<void> => {
    const { offer, root } = terms;
    if (answering !== null) {
      const { chosen } = answering;
      return send(() =>
        actions.answer(card.request_id, "allow_once", undefined, undefined, chosen),
      );
    }
    const given = root !== null && root.path !== "" ? root : undefined;
    return send(() =>
      actions.answer(card.request_id, offer.answer, given, ...(offer.rule ? [offer.rule] : [])),
    );
  };
  // The button that says it goes away; the keys stay with the card.
  const sayRead = (): void => {
    reading.say();
    element.current?.focus();
  };
  const isHeld = runsUnconfined(card.preview);
  const mayAllow =
    armed && reading.mayAllow && (answering === null || answering.chosen !== undefined);
  const keys = useAnswerKeys(armed, (key) => {
    switch (key) {
      case "deny":
        return void deny("deny");
      case "allow":
        // What has to be held is only led to.
        if (isHeld) return pressIn(element, "allow", "focus");
        return mayAllow ? void allow() : undefined;
      case "lasts":
        return terms.choose(nextTime(terms));
      case "tell":
        return pressIn(element, "tell", "click");
      default:
        return assertNever(key);
    }
  });
  const target = useMemo(() => callTarget(card), [card]);
  const agent = visibleString(shownName({ name: card.agent_name, petname: card.petname }));
  return (
    <article
      ref={element}
      // A click beside the buttons keeps the focus on the card, and with it the keys.
      tabIndex={-1}
      className="consent-card"
      aria-labelledby={`${id}-heading`}
      data-testid="consent-card"
      data-request-id={card.request_id}
      data-tool={card.tool_name}
      onKeyDown={keys}
    >
      <header className="card-head">
        <AgentLine card={card} />
        <div className="card-signs">
          <Position position={props.position} total={props.total} />
          {card.sensitivity === "high" ? (
            <span className="level-high" title={t("sensitivity.high_means")}>
              <Icon name="high" /> {t("sensitivity.high")}
            </span>
          ) : null}
        </div>
      </header>
      <CardQuestion
        id={`${id}-heading`}
        target={target}
        toolName={card.tool_name}
        agent={agent}
        project={card.project_folder}
      />
      <CardBody body={body} more={reading.moreOfBody}>
        {card.host_wanted === null ? null : (
          <p className="why" data-testid="consent-host">
            {t("consent.host_notice")}
          </p>
        )}
        {answering === null ? null : <QuestionFields {...answering} />}
        <CardBlock card={card} target={target} />
      </CardBody>
      <Terms card={card} terms={terms} agent={agent} help={actions.folderHelp} id={`${id}-gives`} />
      <p className="card-message" role="alert">
        {problem === null ? null : t(`bridge_error.${problem}`)}
      </p>
      {/* For screen readers only: another line just before the card disappears would move the cards
          below. */}
      <p className="unseen" role="status">
        {over ? t("consent.time_over") : null}
        {sending ? t("consent.sending") : null}
      </p>
      {reading.mustScroll ? <ReadFirst onSaid={sayRead} /> : null}
      <AnswerRow
        card={card}
        lasts={terms.lasts}
        describedBy={`${id}-gives`}
        open={open}
        armed={mayAllow}
        row={buttons}
        below={reading.more.below}
        onAllow={() => void allow()}
        onDeny={(chosen, subject) => void deny(chosen, subject)}
        onHold={(held) => actions.held(card.request_id, held)}
        onThere={() => void send(() => actions.answerThere(card.request_id))}
        onTell={(message) => void send(() => actions.denyAndTell(card.request_id, message))}
      >
        <CountdownBar received={received} />
      </AnswerRow>
      <Announcement
        received={received}
        agent={agent}
        tool={targetHeard(texts, target, card.tool_name)}
      />
    </article>
  );
}

export function Position(of: { readonly position: number; readonly total: number }) {
  const { t } = useTexts();
  return of.total > 1 ? <span className="position">{t("consent.position", of)}</span> : null;
}

/** Leads to a button of the card, or presses it. */
export function pressIn(
  { current }: RefObject<HTMLElement | null>,
  key: CardKey,
  how: "focus" | "click",
): void {
  current?.querySelector<HTMLElement>(`button[data-key="${CARD_KEYS[key]}"]`)?.[how]();
}

/** Who asks: the name, and the key beside it where the name alone could deceive. */
export function AgentLine({ card }: { readonly card: ConsentCard }) {
  return (
    <p className="who">
      <AgentPicture mark={card.key_mark} />
      <AgentName of={{ ...card, name: card.agent_name }} />
    </p>
  );
}

/** Why a request cannot be allowed yet; by keyboard, the person says that they have read it. */
function ReadFirst({ onSaid }: { readonly onSaid: () => void }) {
  const { t } = useTexts();
  return (
    <p className="read-first" data-testid="consent-read-first">
      {t("consent.read_first")}
      <button type="button" data-testid="consent-read-it" onClick={onSaid}>
        {t("consent.read_it")}
      </button>
    </p>
  );
}
