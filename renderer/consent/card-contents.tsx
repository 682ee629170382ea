import { memo } from "react";
import type { ConsentCard } from "../../app/bridge/views.ts";
import type { CallTarget } from "../../app/contract/target/target.ts";
import { unsaidArguments } from "../../app/contract/target/unsaid-arguments.ts";
import { AgentSaid } from "../parts/agent-said.tsx";
import { ArgumentList } from "./argument-list.tsx";
import { CardDetails, ToolDescription } from "./card-facts.tsx";
import { CardPreview } from "./card-preview.tsx";
import { TargetCautions } from "./card-target.tsx";
import { DangerList } from "./danger-list.tsx";

interface CardContentsProps {
  readonly card: ConsentCard;
  readonly target: CallTarget;
}

/** What the card shows in its middle. */
function Contents({ card, target }: CardContentsProps) {
  const { preview, tool_name } = card;
  const effect =
    preview === null ? null : (
      <CardPreview preview={preview} toolName={tool_name} args={card.arguments} />
    );
  const args = <ArgumentList args={card.arguments} unsaid={unsaidArguments(card, target)} />;
  // Arguments that a long difference does not show must come before it.
  const isLong = preview?.kind === "text_change";
  return (
    <>
      <TargetCautions target={target} />
      <DangerList toolName={tool_name} args={card.arguments} />
      {target.kind === "other" ? <ToolDescription card={card} /> : null}
      {isLong ? args : effect}
      {isLong ? effect : args}
      <CardDetails card={card} />
      <AgentSaid said={card.said} scope={card.scope} />
    </>
  );
}

/**
 * The middle can be long, and all of it comes from the request, which stays as it is while it waits.
 * So it is drawn once, however often the host says how much time is left.
 */
export const CardContents = memo(
  Contents,
  (before, after) => before.card.request_id === after.card.request_id,
);
