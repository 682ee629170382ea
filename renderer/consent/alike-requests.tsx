import { useRef, useState } from "react";
import { Button } from "react-aria-components";
import type { BridgeErrorCode } from "../../app/bridge/client-bridge.ts";
import type { ConsentCard } from "../../app/bridge/consent-views.ts";
import {
  type GroupAnswer,
  mayAllowTogether,
  type RequestGroup,
  requestGroups,
} from "../../app/contract/request-group.ts";
import { callTarget } from "../../app/contract/target/call-target.ts";
import { TargetLine } from "../calls/target-line.tsx";
import { useTexts } from "../language.tsx";
import { FormDialog } from "../parts/dialogs.tsx";
import type { ReceivedCard } from "../state/store.ts";
import { labelOfCard } from "../text/agent-labels.ts";
import { CARD_KEYS } from "./answer-keys.ts";
import { ApproveButton, useArmed } from "./approve-button.tsx";
import { TargetCautions, WholePaths } from "./card-question.tsx";
import { useSeenOnce } from "./card-reading.ts";
import type { ConsentActions } from "./consent-card.tsx";

type Group = RequestGroup<ConsentCard>;

interface AlikeRequestsProps {
  readonly waiting: readonly ReceivedCard[];
  readonly connected: boolean;
  readonly actions: ConsentActions;
}

/** Groups of requests that one press may allow, each behind a button that moves no card. */
export function AlikeRequests({ waiting, connected, actions }: AlikeRequestsProps) {
  const { t } = useTexts();
  const [open, setOpen] = useState<string | null>(null);
  const groups = requestGroups(waiting.map(({ card }) => card)).filter(({ requests }) =>
    mayAllowTogether(requests),
  );
  const nameOf = (group: Group): string => `${group.agent_id} ${group.tool_name}`;
  const shown = groups.find((group) => nameOf(group) === open);
  return (
    <>
      {groups.map((group) => (
        <Button
          key={nameOf(group)}
          data-testid="consent-alike"
          onPress={() => setOpen(nameOf(group))}
        >
          {t("consent.alike_open", { count: group.requests.length })}
        </Button>
      ))}
      <FormDialog
        title={shown === undefined ? "" : t("consent.alike", { count: shown.requests.length })}
        testId="consent-alike-dialog"
        isOpen={shown !== undefined}
        onClose={() => setOpen(null)}
      >
        {shown === undefined ? null : (
          // What was seen of other members says nothing about these.
          <GroupLines
            key={shown.requests.map(({ request_id }) => request_id).join(" ")}
            group={shown}
            connected={connected}
            actions={actions}
          />
        )}
      </FormDialog>
    </>
  );
}

interface GroupLinesProps {
  readonly group: Group;
  readonly connected: boolean;
  readonly actions: ConsentActions;
}

/** One line for each request, and two answers that are inert until every line has been in sight. */
function GroupLines({ group, connected, actions }: GroupLinesProps) {
  const { t } = useTexts();
  const buttons = useRef<HTMLDivElement>(null);
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  const [sending, setSending] = useState(false);
  const [problem, setProblem] = useState<BridgeErrorCode | null>(null);
  const ids = group.requests.map(({ request_id }) => request_id);
  const armed = useArmed(buttons, seen.size === ids.length);
  const open = connected && !sending;
  const answer = async (chosen: GroupAnswer): Promise<void> => {
    if (!open) return;
    setSending(true);
    const failure = await actions.answerGroup(ids, chosen);
    setProblem(failure);
    if (failure !== null) setSending(false);
  };
  const [first] = group.requests;
  return (
    <>
      {first === undefined ? null : <p>{labelOfCard(t, first)}</p>}
      <ol className="alike-lines">
        {group.requests.map((card) => (
          <Line
            key={card.request_id}
            card={card}
            connected={connected}
            onSeen={async () => {
              const told = await actions.opened(card.request_id);
              if (told) setSeen((before) => new Set([...before, card.request_id]));
              return told;
            }}
          />
        ))}
      </ol>
      <p className="muted">{t("consent.alike_means")}</p>
      <p className="card-message" role="alert">
        {problem === null ? null : t(`bridge_error.${problem}`)}
      </p>
      <div className="button-row" ref={buttons}>
        <Button
          data-testid="consent-alike-deny"
          isDisabled={!connected}
          isPending={sending}
          onPress={() => void answer("deny")}
        >
          {t("consent.alike_deny", { count: ids.length })}
        </Button>
        <ApproveButton
          shortcut={CARD_KEYS.allow}
          armed={open && armed}
          testId="consent-alike-allow"
          className="primary"
          onApprove={() => void answer("allow_once")}
        >
          {t("consent.alike_allow", { count: ids.length })}
        </ApproveButton>
      </div>
    </>
  );
}

interface LineProps {
  readonly card: ConsentCard;
  readonly connected: boolean;
  readonly onSeen: () => Promise<boolean>;
}

function Line({ card, connected, onSeen }: LineProps) {
  const line = useRef<HTMLLIElement>(null);
  useSeenOnce(line, onSeen, connected);
  const target = callTarget(card);
  return (
    <li ref={line}>
      <TargetLine target={target} toolName={card.tool_name} />
      <WholePaths target={target} />
      <TargetCautions target={target} />
    </li>
  );
}
