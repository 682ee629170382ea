import type { ReactNode } from "react";
import {
  Button,
  DateInput,
  DatePicker,
  DateSegment,
  Dialog,
  Group,
  Label,
  Popover,
} from "react-aria-components";
import { useTexts } from "../../language.tsx";
import { Icon } from "../../parts/icon.tsx";
import { Month } from "../../parts/month.tsx";
import { calendarDay } from "./day-text.ts";

interface DayFieldProps {
  readonly label: ReactNode;
  /** YYYY-MM-DD; null: none yet. */
  readonly day: string | null;
  readonly isDisabled: boolean;
  readonly isInvalid: boolean;
  readonly onChange: (day: string | null) => void;
}

/** A day, in the order of the person's language. */
export function DayField({ label, day, onChange, ...state }: DayFieldProps) {
  const { t } = useTexts();
  return (
    <DatePicker
      {...state}
      className="artifact-entry"
      granularity="day"
      value={day === null ? null : calendarDay(day)}
      onChange={(value) => onChange(value?.toString() ?? null)}
    >
      <Label>{label}</Label>
      <Group className="moment">
        <DateInput className="moment-input" data-testid="artifact-date">
          {(segment) => <DateSegment className="moment-segment" segment={segment} />}
        </DateInput>
        <Button className="quiet" aria-label={t("activity.pick_day")}>
          <Icon name="calendar" />
        </Button>
      </Group>
      <Popover className="popover">
        <Dialog className="calendar-dialog">
          <Month />
        </Dialog>
      </Popover>
    </DatePicker>
  );
}
