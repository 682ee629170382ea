import { type RefObject, useId, useRef, useState } from "react";
import { shownName } from "../../app/bridge/agent-views.ts";
import type { BridgeErrorCode } from "../../app/bridge/client-bridge.ts";
import type { ConsentCard } from "../../app/bridge/consent-views.ts";
import { callTarget } from "../../app/contract/target/call-target.ts";
import type { CallTarget } from "../../app/contract/target/target.ts";
import { TargetLine } from "../calls/target-line.tsx";
import { type Texts, useTexts } from "../language.tsx";
import { Tick } from "../parts/tick.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import type { ReceivedCard } from "../state/store.ts";
import { countWords, partText } from "../text/target-words.ts";
import { visibleString } from "../text/visible-text.ts";
import { useAnswerKeys } from "./answer-keys.ts";
import { AnswerRow } from "./answer-row.tsx";
import { useArmed } from "./approve-button.tsx";
import { CardBlock } from "./card-block.tsx";
import { CardBody } from "./card-body.tsx";
import { useMore, useSeenOnce } from "./card-reading.ts";
import { listWords, nextTime, TimeChips, useListTerms } from "./card-terms.tsx";
import { AgentLine, type ConsentActions, Position, pressIn } from "./consent-card.tsx";
import type { Offer } from "./offers.ts";

interface ListCardProps {
  /** Two or more, of one agent, that may share a card. */
  readonly open: readonly ReceivedCard[];
  /** Among the cards that wait. */
  readonly position: number;
  readonly total: number;
  readonly connected: boolean;
  readonly actions: ConsentActions;
}

/** Requests that came together: each a line that says everything, and one answer for those that are ticked. */
export function ListCard({ open, position, total, connected, actions }: ListCardProps) {
  const texts = useTexts();
  const { t } = texts;
  const id = useId();
  const element = useRef<HTMLElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const buttons = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const [left, setLeft] = useState<ReadonlySet<string>>(new Set());
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<BridgeErrorCode | null>(null);
  const cards = open.map(({ card }) => card);
  const chosen = cards.filter(({ request_id }) => !left.has(request_id));
  const [first] = cards;
  const terms = useListTerms(first?.request_id ?? "", chosen);
  const isSeen = chosen.every(({ request_id }) => seen.has(request_id));
  // Another line that comes has to be seen, and moves what is answered.
  const armed = useArmed(buttons, isSeen);
  const mayAnswer = connected && !sending && chosen.length > 0;
  const more = useMore(element);
  const moreOfBody = useMore(body);
  const send = async (sent: () => Promise<BridgeErrorCode | null>): Promise<void> => {
    if (!mayAnswer) return;
    setSending(true);
    setProblem(await sent());
    setSending(false);
  };
  const deny = () =>
    send(() =>
      actions.answerGroup(chosen.map(({ request_id }) => ({ request_id, answer: "deny" }))),
    );
  const allow = () => send(() => actions.answerGroup(approvals(chosen, terms.offers)));
  const tell = (message: string) =>
    send(async () => {
      const told = chosen.map(({ request_id }) => actions.denyAndTell(request_id, message));
      return (await Promise.all(told)).find((fault) => fault !== null) ?? null;
    });
  const keys = useAnswerKeys(armed, (key) => {
    if (key === "deny") void deny();
    else if (key === "allow") void allow();
    else if (key === "lasts") terms.choose(nextTime(terms));
    else pressIn(element, "tell", "click");
  });
  if (first === undefined) return null;
  const name = visibleString(shownName({ name: first.agent_name, petname: first.petname }));
  const asks = questionOf(texts, cards);
  return (
    <article
      ref={element}
      tabIndex={-1}
      className="consent-card"
      aria-labelledby={`${id}-heading`}
      data-testid="consent-card"
      data-request-id={first.request_id}
      data-count={cards.length}
      onKeyDown={keys}
    >
      <header className="card-head">
        <AgentLine card={first} />
        <Position position={position} total={total} />
      </header>
      <div className="card-question">
        <h2
          id={`${id}-heading`}
          tabIndex={-1}
          aria-label={t("consent.heading", { agent: name, tool: asks })}
        >
          {asks}
        </h2>
      </div>
      <CardBody body={body} more={moreOfBody}>
        <ul className="listed" data-testid="consent-listed">
          {cards.map((card) => (
            <Line
              key={card.request_id}
              card={card}
              ticked={!left.has(card.request_id)}
              connected={connected}
              onTick={(ticked) => setLeft((before) => toggled(before, card.request_id, !ticked))}
              onSeen={async () => {
                const told = await actions.opened(card.request_id);
                if (told) setSeen((before) => toggled(before, card.request_id, true));
                return told;
              }}
            />
          ))}
        </ul>
      </CardBody>
      <div className="terms">
        <TimeChips {...terms} />
        <p id={`${id}-gives`} className="gives" data-testid="consent-gives">
          {listWords(texts, chosen, terms)}
        </p>
      </div>
      <p className="card-message" role="alert">
        {problem === null ? null : t(`bridge_error.${problem}`)}
      </p>
      {isSeen ? null : <p className="read-first">{t("consent.read_first")}</p>}
      <AnswerRow
        card={{ ...first, answers: ["deny", "allow_once"] }}
        lasts={terms.lasts}
        count={chosen.length}
        describedBy={`${id}-gives`}
        open={mayAnswer}
        armed={armed && isSeen}
        row={buttons}
        below={more.below}
        onAllow={() => void allow()}
        onDeny={() => void deny()}
        onHold={() => {}}
        onThere={() => {}}
        onTell={(message) => void tell(message)}
      >
        {null}
      </AnswerRow>
    </article>
  );
}

/** Of what several would give alike, one makes the rule. */
function approvals(cards: readonly ConsentCard[], offers: readonly Offer[]) {
  const made = new Set<string>();
  return cards.map(({ request_id, tool_name, scope }, at) => {
    const { answer, rule = null } = offers[at] ?? {};
    const key = JSON.stringify([scope, tool_name, rule]);
    const isFirst = rule !== null && !made.has(key);
    made.add(key);
    return {
      request_id,
      answer:
        answer === "allow_in_conversation" || answer === "allow_in_prompt"
          ? answer
          : ("allow_once" as const),
      ...(isFirst ? { rule } : {}),
    };
  });
}

const toggled = (before: ReadonlySet<string>, id: string, isIn: boolean): ReadonlySet<string> =>
  new Set([...before].filter((each) => each !== id).concat(isIn ? [id] : []));

const CHANGES = ["edit", "create", "replace", "write", "delete", "move", "make_folder"] as const;

/** What all of them are, where that is one thing. */
function questionOf({ t }: Texts, cards: readonly ConsentCard[]): string {
  const kinds = cards.map((card) => callTarget(card).kind);
  const areAll = (...some: readonly CallTarget["kind"][]) =>
    kinds.every((kind) => some.includes(kind));
  const count = cards.length;
  if (areAll("read")) return t("consent.list_asks.read", { count });
  if (areAll("run")) return t("consent.list_asks.run", { count });
  if (areAll(...CHANGES)) return t("consent.list_asks.change", { count });
  if (areAll("fetch", "fetch_headers")) return t("consent.list_asks.fetch", { count });
  return t("consent.list_asks.any", { count });
}

interface LineProps {
  readonly card: ConsentCard;
  readonly ticked: boolean;
  readonly connected: boolean;
  readonly onTick: (ticked: boolean) => void;
  readonly onSeen: () => Promise<boolean>;
}

function Line({ card, ticked, connected, onTick, onSeen }: LineProps) {
  const texts = useTexts();
  const line: RefObject<HTMLLIElement | null> = useRef(null);
  useSeenOnce(line, onSeen, connected);
  const target = callTarget(card);
  return (
    <li ref={line} data-request-id={card.request_id} data-tool={card.tool_name}>
      <Tick on={ticked} onChange={onTick} testId="consent-tick">
        <span>
          {target.kind === "run" ? (
            <VisibleText text={partText(target.parts.path)} />
          ) : (
            <TargetLine target={target} toolName={card.tool_name} />
          )}
          {target.count === null ? null : ` ${countWords(texts, target.count).seen}`}
        </span>
      </Tick>
      <CardBlock card={card} target={target} listed />
    </li>
  );
}
