import {
  Button,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select,
  SelectValue,
} from "react-aria-components";
import { Icon } from "../parts/icon.tsx";

export interface FilterOption<W extends string> {
  readonly word: W;
  readonly label: string;
}

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
const keyOf = (at: number): string => `option-${at}`;

/** One respect in which the log is narrowed. */
export function FilterSelect<W extends string>(props: FilterSelectProps<W>) {
  const { label, all, chosen, options, onChoose, testId } = props;
  const at = options.findIndex(({ word }) => word === chosen);
  return (
    <Select
      className="filter"
      data-testid={testId}
      value={at === -1 ? ALL : keyOf(at)}
      onChange={(key) => onChoose(options.find((_, each) => keyOf(each) === key)?.word ?? null)}
    >
      <Label>{label}</Label>
      <Button className="select-button">
        <SelectValue />
        <Icon name="unfold" />
      </Button>
      <Popover className="popover">
        <ListBox className="options">
          <ListBoxItem id={ALL}>{all}</ListBoxItem>
          {options.map(({ word, label }, each) => (
            <ListBoxItem id={keyOf(each)} key={word}>
              {label}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </Select>
  );
}
