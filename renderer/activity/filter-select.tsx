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

/** Stands for no choice, and is no option's word: those have at least one character. */
const NONE = "";

export function FilterSelect<W extends string>(props: FilterSelectProps<W>) {
  const { label, all, chosen, options, onChoose, testId } = props;
  return (
    <Choice<W | typeof NONE>
      className="filter"
      label={label}
      unseenLabel
      placeholder={label}
      chosen={chosen}
      options={[{ word: NONE, label: all }, ...options]}
      onChoose={(word) => onChoose(word === NONE ? null : word)}
      testId={testId}
    />
  );
}
