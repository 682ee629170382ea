import { fromAbsolute, getLocalTimeZone } from "@internationalized/date";
import { DatePicker } from "react-aria-components";
import { useTexts } from "../language.tsx";
import { DateParts } from "../parts/date-parts.tsx";
import { FilterSelect } from "./filter-select.tsx";
import { TIME_PRESETS, type TimeChoice } from "./log-filter.ts";

interface TimeFilterProps {
  readonly time: TimeChoice;
  readonly onChange: (time: TimeChoice) => void;
}

const CHOICES = [...TIME_PRESETS, "range"] as const;

export function TimeFilter({ time, onChange }: TimeFilterProps) {
  const { t } = useTexts();
  return (
    <>
      <FilterSelect
        label={t("activity.time")}
        all={t("activity.time_all")}
        chosen={time.kind === "all" ? null : time.kind}
        options={CHOICES.map((word) => ({ word, label: t(`activity.time_${word}`) }))}
        onChoose={(kind) => onChange(choiceOf(kind))}
        testId="activity-filter-time"
      />
      {time.kind === "range" ? (
        <>
          <MomentField
            label={t("activity.from")}
            at={time.from}
            onChange={(from) => onChange({ ...time, from })}
            testId="activity-from"
          />
          <MomentField
            label={t("activity.to")}
            at={time.to}
            onChange={(to) => onChange({ ...time, to })}
            testId="activity-to"
          />
        </>
      ) : null}
    </>
  );
}

function choiceOf(kind: (typeof CHOICES)[number] | null): TimeChoice {
  if (kind === null) return { kind: "all" };
  return kind === "range" ? { kind, from: null, to: null } : { kind };
}

interface MomentFieldProps {
  readonly label: string;
  /** Epoch milliseconds; null: no limit on this side. */
  readonly at: number | null;
  readonly onChange: (at: number | null) => void;
  readonly testId: string;
}

/** A date and a time of day, in the person's time zone and format. */
function MomentField({ label, at, onChange, testId }: MomentFieldProps) {
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
