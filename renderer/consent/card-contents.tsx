import { memo } from "react";
import type { ConsentCard } from "../../app/bridge/views.ts";
import type { CallTarget } from "../../app/contract/target/target.ts";
import { unsaidArguments } from "../../app/contract/target/unsaid-arguments.ts";
import { ArgumentList } from "./argument-list.tsx";
import { CardDetails, CardSaid, ToolDescription } from "./card-facts.tsx";
import { CardPreview } from "./card-preview.tsx";
import { TargetCautions } from "./card-target.tsx";
import { DangerList } from "./danger-list.tsx";

interface CardContentsProps {
  readonly card: ConsentCard;
  readonly target: CallTarget;
}

/** What the card shows in its middle. It can be long, so it is not drawn again while the time runs. */
export const CardContents = memo(function CardContents({ card, target }: CardContentsProps) {
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
      <CardSaid card={card} />
    </>
  );
});
