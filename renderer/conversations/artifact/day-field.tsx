import type { ReactNode } from "react";
import { DatePicker } from "react-aria-components";
import { DateParts } from "../../parts/date-parts.tsx";
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
  return (
    <DatePicker
      {...state}
      className="artifact-entry"
      granularity="day"
      value={day === null ? null : calendarDay(day)}
      onChange={(value) => onChange(value?.toString() ?? null)}
    >
      <DateParts label={label} testId="artifact-date" />
    </DatePicker>
  );
}
