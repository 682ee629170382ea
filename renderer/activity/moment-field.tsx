import { fromAbsolute, getLocalTimeZone } from "@internationalized/date";
import { DatePicker } from "react-aria-components";
import { DateParts } from "../parts/date-parts.tsx";

interface MomentFieldProps {
  readonly label: string;
  /** Epoch milliseconds; null: no limit on this side. */
  readonly at: number | null;
  readonly onChange: (at: number | null) => void;
  readonly testId: string;
}

/** A date and a time of day, in the person's time zone and format. */
export function MomentField({ label, at, onChange, testId }: MomentFieldProps) {
  const zone = getLocalTimeZone();
  return (
    <DatePicker
      className="filter"
      data-testid={testId}
      granularity="minute"
      hideTimeZone
      value={at === null ? null : fromAbsolute(at, zone)}
      placeholderValue={fromAbsolute(startOfToday(), zone)}
      onChange={(value) => onChange(value === null ? null : value.toDate().getTime())}
    >
      <DateParts label={label} />
    </DatePicker>
  );
}

const startOfToday = (): number => new Date().setHours(0, 0, 0, 0);
