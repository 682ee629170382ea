import { Fragment } from "react";
import { assertNever } from "../../app/contract/assert-never.ts";
import type { CallTarget } from "../../app/contract/target/target.ts";
import { useTexts } from "../language.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { partsOf, type TargetPart, targetQuestion, targetSentence } from "../text/target-words.ts";

interface TargetLineProps {
  readonly target: CallTarget;
  readonly toolName: string;
  /** As the question of a card; what its block shows is left out. */
  readonly asks?: boolean;
}

/** Marks a part: occurs in none of our texts, and is escaped in all others. */
const SLOT = "\u0000";

/** What a call is about, as a sentence with its parts emphasized. */
export function TargetLine({ target, toolName, asks = false }: TargetLineProps) {
  const texts = useTexts();
  const parts = new Map(partsOf(target));
  const inWords = asks ? targetQuestion : targetSentence;
  const sentence = inWords(texts, target, toolName, (name) => SLOT + name + SLOT);
  return sentence.split(SLOT).map((piece, index) => {
    const part = index % 2 === 0 ? undefined : parts.get(piece);
    // biome-ignore lint/suspicious/noArrayIndexKey: pieces are identified by their position
    return <Fragment key={index}>{part === undefined ? piece : <Part part={part} />}</Fragment>;
  });
}

function Part({ part }: { readonly part: TargetPart }) {
  switch (part.kind) {
    case "path":
      return (
        <span className="target-part">
          <span className="target-lead">
            <Steps text={part.lead} />
          </span>
          <VisibleText within="strong" text={part.name} />
        </span>
      );
    case "address":
      return (
        <span className="target-part">
          {part.lead === "" ? null : <VisibleText text={part.lead} />}
          <VisibleText within="strong" text={part.host} />
          <Steps text={part.rest} />
        </span>
      );
    case "command":
      return <VisibleText within="strong" className="target-part" text={part.text} />;
    case "text":
      return <VisibleText text={part.text} />;
    default:
      return assertNever(part);
  }
}

/** Breaks lines after separators if possible, otherwise inside a name. */
function Steps({ text }: { readonly text: string }) {
  return text.split(/(?<=[\\/])/).map((step, index) =>
    step === "" ? null : (
      // biome-ignore lint/suspicious/noArrayIndexKey: steps are identified by their position
      <Fragment key={index}>
        <VisibleText text={step} />
        <wbr />
      </Fragment>
    ),
  );
}
