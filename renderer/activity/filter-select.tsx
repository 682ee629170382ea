import { Choice, type ChoiceOption } from "../parts/choice.tsx";

export type FilterOption<W extends string> = ChoiceOption<W>;

interface FilterSelectProps<W extends string> {
  readonly label: string;
  /** What the choice of none is called. */
  readonly all: string;
  readonly chosen: W | null;
  readonly options: readonly FilterOption<W>[];
  readonly onChoose: (word: W | null) => void;
  readonly testId: string;
}

const ALL = "all";
/** No name that an agent made up can be taken for the choice of none. */
const keyOf = (at: number): string => `option-${at}`;

/** One respect in which the log is narrowed. */
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
