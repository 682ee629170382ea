import { Choice, type ChoiceOption } from "../parts/choice.tsx";

export type FilterOption<W extends string> = ChoiceOption<W>;

interface FilterSelectProps<W extends string> {
  readonly label: string;
  /** The label for no choice. */
  readonly all: string;
  readonly chosen: W | null;
  readonly options: readonly FilterOption<W>[];
  readonly onChoose: (word: W | null) => void;
  readonly testId: string;
}

const ALL = "all";
/** Numbered, so that no name made up by an agent can be confused with the choice of none. */
const keyOf = (at: number): string => `option-${at}`;

/** One of the log's filters. */
export function FilterSelect<W extends string>(props: FilterSelectProps<W>) {
  const { label, all, chosen, options, onChoose, testId } = props;
  const at = options.findIndex(({ word }) => word === chosen);
  return (
    <Choice
      className="filter"
      label={label}
      chosen={at === -1 ? ALL : keyOf(at)}
      options={[
        { word: ALL, label: all },
        ...options.map((option, each) => ({ word: keyOf(each), label: option.label })),
      ]}
      onChoose={(key) => onChoose(options.find((_, each) => keyOf(each) === key)?.word ?? null)}
      testId={testId}
    />
  );
}
