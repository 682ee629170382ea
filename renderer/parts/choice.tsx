import type { ReactNode } from "react";
import {
  Button,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Select,
  SelectValue,
  Text,
} from "react-aria-components";
import { Icon } from "./icon.tsx";

export interface ChoiceOption<W extends string> {
  readonly word: W;
  readonly label: string;
  /** The label's language, if it differs from the page's. */
  readonly lang?: string;
  /** Displayed instead of the label, which is still used for typing and screen readers. */
  readonly drawn?: ReactNode;
}

interface ChoiceProps<W extends string> {
  readonly label: ReactNode;
  /** Whether the label is only for screen readers. */
  readonly unseenLabel?: boolean;
  /** Null: none yet, and `placeholder` is shown. */
  readonly chosen: W | null;
  readonly placeholder?: string;
  readonly options: readonly ChoiceOption<W>[];
  /** What the chosen one means, below it. */
  readonly note?: { readonly text: string; readonly testId: string };
  readonly isDisabled?: boolean;
  readonly onChoose: (word: W) => void;
  readonly className: string;
  readonly testId: string;
}

export function Choice<W extends string>(props: ChoiceProps<W>) {
  const { label, unseenLabel = false, chosen, options, onChoose, className, testId } = props;
  const { placeholder = "", isDisabled = false, note } = props;
  return (
    <Select
      className={className}
      data-testid={testId}
      data-chosen={chosen}
      placeholder={placeholder}
      isDisabled={isDisabled}
      value={chosen}
      onChange={(key) => {
        const option = options.find(({ word }) => word === key);
        if (option !== undefined) onChoose(option.word);
      }}
    >
      <Label {...(unseenLabel ? { className: "unseen" } : {})}>{label}</Label>
      <Button className="select-button">
        <SelectValue />
        <Icon name="unfold" />
      </Button>
      {note === undefined ? null : (
        <Text slot="description" className="muted choice-note" data-testid={note.testId}>
          {note.text}
        </Text>
      )}
      <Popover className="popover">
        <ListBox className="options">
          {options.map(({ word, label: shown, lang, drawn }) => (
            <ListBoxItem id={word} key={word} textValue={shown} data-choice={word}>
              {drawn ?? <span {...(lang === undefined ? {} : { lang })}>{shown}</span>}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </Select>
  );
}
