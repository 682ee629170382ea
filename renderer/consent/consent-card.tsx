import { useId, useMemo, useRef, useState } from "react";
import { shownName } from "../../app/bridge/agent-views.ts";
import type { BridgeErrorCode } from "../../app/bridge/client-bridge.ts";
import { type Answer, isApproval } from "../../app/contract/consent-request.ts";
import { hostText, type NetworkHost } from "../../app/contract/network-host.ts";
import type { GroupAnswer } from "../../app/contract/request-group.ts";
import { callTarget } from "../../app/contract/target/call-target.ts";
import { useTexts } from "../language.tsx";
import { AgentIdentity } from "../parts/agent-identity.tsx";
import { isPageKey } from "../parts/page-keys.ts";
import type { FolderHelp } from "../parts/path-field.tsx";
import { SensitivityBadge } from "../parts/scope-list.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { keptState } from "../state/kept-state.ts";
import type { ReceivedCard } from "../state/store.ts";
import { targetHeard } from "../text/target-words.ts";
import { visibleString } from "../text/visible-text.ts";
import { AnswerButtons } from "./answer-buttons.tsx";
import { countAnswer, useAnswerKeys } from "./answer-keys.ts";
import { useArmed } from "./approve-button.tsx";
import { CardBody } from "./card-body.tsx";
import { CardContents } from "./card-contents.tsx";
import { CardFacts } from "./card-facts.tsx";
import { useCardReading, useSeenOnce } from "./card-reading.ts";
import { CardTarget } from "./card-target.tsx";
import { Announcement, CountdownRing, useTimeOver } from "./countdown-ring.tsx";
import { type GivenRoot, RootField, suggestedRoot } from "./root-field.tsx";
import { type OfferedRule, RuleOffer } from "./rule-offer.tsx";

/** Another place on the page, or another request that is open meanwhile, draws a card anew. */
const useRoot = keptState<GivenRoot | null>();

/** What a card reports to the host. */
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
  ): Promise<BridgeErrorCode | null>;
  /** A denial, with words for the agent; resolves as `answer`. */
  answerThere(request_id: string): Promise<BridgeErrorCode | null>;
  denyAndTell(request_id: string, message: string): Promise<BridgeErrorCode | null>;
  /** One answer for several requests, all of one agent; resolves as `answer`. */
  answerGroup(request_ids: readonly string[], answer: GroupAnswer): Promise<BridgeErrorCode | null>;
  readonly folderHelp: FolderHelp;
}

interface ConsentCardProps {
  readonly received: ReceivedCard;
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
  const [chosenRoot, setRoot] = useRoot(card.request_id, suggestedRoot(card));
  const root = card.root_wanted && chosenRoot;
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
    else countAnswer();
  };
  const answer = (chosen: Answer, rule?: OfferedRule): Promise<void> => {
    const given = isApproval(chosen) && root !== null && root.path !== "" ? root : undefined;
    return send(() => actions.answer(card.request_id, chosen, given, ...(rule ? [rule] : [])));
  };
  const keys = useAnswerKeys({ card, armed, onAnswer: (one) => void answer(one) });
  const target = useMemo(() => callTarget(card), [card]);
  const agent = visibleString(shownName({ name: card.agent_name, petname: card.petname }));
  return (
    <article
      ref={element}
      // A click beside the buttons keeps the focus on the card, so that Esc still denies it.
      tabIndex={-1}
      className="consent-card"
      aria-labelledby={`${id}-heading`}
      data-testid="consent-card"
      data-request-id={card.request_id}
      data-tool={card.tool_name}
      onKeyDown={(event) => {
        keys(event);
        if (!isPageKey("deny", event.nativeEvent)) return;
        event.stopPropagation();
        // Armed like an approval: the key may have been meant for what was there before the card.
        if (armed) void answer("deny");
      }}
    >
      <header className="card-head">
        <AgentIdentity {...card} name={card.agent_name} />
        <div className="card-signs">
          {props.total > 1 ? (
            <span className="position">
              {t("consent.position", { position: props.position, total: props.total })}
            </span>
          ) : null}
          <SensitivityBadge level={card.sensitivity} />
        </div>
      </header>
      <CardTarget id={`${id}-heading`} target={target} toolName={card.tool_name} agent={agent}>
        <CountdownRing received={received} />
      </CardTarget>
      <CardBody body={body} more={reading.moreOfBody}>
        <CardContents card={card} target={target} />
      </CardBody>
      {card.decided_only ? (
        <p className="caution" data-testid="consent-decided-only">
          {t("consent.decided_only")}
        </p>
      ) : null}
      {card.host_wanted === null ? null : <HostNotice host={card.host_wanted} agent={agent} />}
      {card.root_wanted === null || root === null ? null : (
        <RootField
          agent={agent}
          wanted={card.root_wanted}
          given={root}
          onChange={setRoot}
          help={actions.folderHelp}
        />
      )}
      <RuleOffer
        card={card}
        open={open}
        armed={armed}
        onAnswer={(one, rule) => void answer(one, rule)}
      />
      <CardFacts card={card} />
      <p className="card-message" role="alert">
        {problem === null ? null : t(`bridge_error.${problem}`)}
      </p>
      {/* For screen readers only: another line just before the card disappears would move the cards
          below. */}
      <p className="unseen" role="status">
        {over ? t("consent.time_over") : null}
        {sending ? t("consent.sending") : null}
      </p>
      {reading.mayAllow ? null : <ReadFirst onSaid={reading.say} />}
      <AnswerButtons
        card={card}
        target={target}
        opened={root?.terms.time ?? null}
        open={open}
        armed={armed && reading.mayAllow}
        row={buttons}
        below={reading.more.below}
        onAnswer={(one) => void answer(one)}
        onHold={(held) => actions.held(card.request_id, held)}
        onThere={() => void send(() => actions.answerThere(card.request_id))}
        onTell={(message) => void send(() => actions.denyAndTell(card.request_id, message))}
      />
      <Announcement
        received={received}
        agent={agent}
        tool={targetHeard(texts, target, card.tool_name)}
      />
    </article>
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

interface HostNoticeProps {
  readonly host: NetworkHost;
  /** The agent's displayed name. */
  readonly agent: string;
}

/**
 * Says, before the person answers, that the call wants to reach this computer or their own network.
 */
function HostNotice({ host, agent }: HostNoticeProps) {
  const { t } = useTexts();
  return (
    <div className="host-notice" data-testid="consent-host">
      <p className="caution">{t("consent.host_notice")}</p>
      <p className="mono">
        <strong>
          <VisibleText text={hostText(host)} />
        </strong>
      </p>
      <p className="muted">{t("consent.host_means", { agent })}</p>
    </div>
  );
}
