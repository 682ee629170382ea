import { useId } from "react";
import type { ConsentCard } from "../../app/bridge/consent-views.ts";
import {
  type AskedQuestion,
  answersAll,
  type GivenAnswers,
  questionsIn,
} from "../../app/contract/asked-questions.ts";
import { useTexts } from "../language.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { keptState } from "../state/kept-state.ts";

/** By the question's text: the labels that are chosen, and what the person writes themselves. */
type Picked = Readonly<
  Record<string, { readonly labels: readonly string[]; readonly own: string }>
>;

const NOTHING = { labels: [], own: "" };
const usePicked = keptState<Picked>((picked) =>
  Object.values(picked).some(({ own }) => own !== ""),
);

export interface Answering {
  readonly questions: readonly AskedQuestion[];
  readonly picked: Picked;
  readonly pick: (question: string, given: Picked[string]) => void;
  /** Undefined: not each question is answered yet. */
  readonly chosen: GivenAnswers | undefined;
}

/** What the person answers where the agent asks them something; null: it asks for nothing but a yes. */
export function useAnswering(card: ConsentCard): Answering | null {
  const [picked, setPicked] = usePicked(card.request_id, {});
  if (card.tool_name !== "answer_question") return null;
  const questions = questionsIn(card.arguments);
  const given = questions.map(({ question, multiSelect = false }) => {
    const { labels, own } = picked[question] ?? NOTHING;
    const words = own.trim() === "" ? labels : multiSelect ? [...labels, own.trim()] : [own.trim()];
    return [question, words.join(", ")] as const;
  });
  const chosen = Object.fromEntries(given);
  return {
    questions,
    picked,
    pick: (question, next) => setPicked((before) => ({ ...before, [question]: next })),
    chosen: answersAll(questions, chosen) ? chosen : undefined,
  };
}

export const QuestionFields = ({ questions, picked, pick }: Answering) =>
  questions.map((asked) => (
    <Question
      key={asked.question}
      asked={asked}
      given={picked[asked.question] ?? NOTHING}
      onChange={(given) => pick(asked.question, given)}
    />
  ));

interface QuestionProps {
  readonly asked: AskedQuestion;
  readonly given: Picked[string];
  readonly onChange: (given: Picked[string]) => void;
}

function Question({ asked, given, onChange }: QuestionProps) {
  const { t } = useTexts();
  const id = useId();
  const { question, header, multiSelect = false, options } = asked;
  const { labels, own } = given;
  const toggled = (label: string): readonly string[] => {
    if (!multiSelect) return [label];
    return labels.includes(label) ? labels.filter((each) => each !== label) : [...labels, label];
  };
  return (
    <fieldset className="asked" data-testid="consent-question">
      <legend>
        {header === undefined ? null : (
          <VisibleText within="span" className="muted" text={header} />
        )}
        <VisibleText text={question} block />
      </legend>
      {options.map(({ label, description, preview }) => (
        <label key={label}>
          <input
            type={multiSelect ? "checkbox" : "radio"}
            name={id}
            checked={labels.includes(label) && (multiSelect || own.trim() === "")}
            onChange={() => onChange({ labels: toggled(label), own: multiSelect ? own : "" })}
            data-testid="consent-option"
          />
          <span>
            <VisibleText within="b" text={label} />
            {description === undefined ? null : (
              <VisibleText within="span" className="muted" text={description} block />
            )}
            {preview === undefined ? null : (
              <VisibleText within="pre" className="block" text={preview} block />
            )}
          </span>
        </label>
      ))}
      <input
        type="text"
        dir="auto"
        maxLength={1_000}
        aria-label={t("consent.choices.other_answer")}
        placeholder={t("consent.choices.other_answer")}
        value={own}
        onChange={(event) => onChange({ labels, own: event.target.value })}
        data-testid="consent-own-answer"
      />
    </fieldset>
  );
}
